/** The current time in milliseconds since the epoch. Tests pass a clock that they control. */
export type Clock = () => number;
