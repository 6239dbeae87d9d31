/** The names of the parameters in a path: `'formId'` of `/api/forms/:formId`. */
type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? UntilEnd<Rest> | ParamNames<Rest>
  : never;

/** A name ends at the next slash or dot. */
type UntilEnd<Rest extends string> = Rest extends `${infer Name}/${string}` ? UntilDot<Name> : UntilDot<Rest>;
type UntilDot<Rest extends string> = Rest extends `${infer Name}.${string}` ? Name : Rest;

/** The parameters of a path, by name. A path that isn't known at compile time can have any. */
export type PathParams<Path extends string> = string extends Path
  ? Readonly<Record<string, string>>
  : Readonly<Record<ParamNames<Path>, string>>;
