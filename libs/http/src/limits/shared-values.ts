/** What limits need of the values that all processes share. The event bus has them. */
export interface SharedValues {
  read(key: string): Promise<{ text: string; revision: string } | null>;
  /** Resolves with the new revision, or with `null` if the value doesn't have the expected one. */
  replace(
    key: string,
    text: string,
    options: { revision: string | null; ttlMs: number },
  ): Promise<string | null>;
  /** A clock that agrees between the processes. Milliseconds. */
  now(): number;
}
