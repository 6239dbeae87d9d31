import { Fragment } from 'react';

/**
 * A list of names for programs, such as event types and scopes, whose lines end after a name, a dot
 * or a colon.
 */
export function NameList({ names }: { names: readonly string[] }) {
  return names.map((name, index) => (
    <Fragment key={name}>
      {index > 0 && ', '}
      <ProgramName name={name} />
    </Fragment>
  ));
}

/** A name for programs, such as an event type, whose lines end after a dot or a colon. */
export function ProgramName({ name }: { name: string }) {
  return (
    <span style={{ overflowWrap: 'normal' }}>
      {name.split(/(?<=[.:])/).map((part, at) => (
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
