import { Fragment } from 'react';

/** A list of event types, whose lines end after a type or a dot. */
export function EventTypeList({ types }: { types: readonly string[] }) {
  return types.map((type, index) => (
    <Fragment key={type}>
      {index > 0 && ', '}
      {type.split('.').map((part, at) => (
        <Fragment key={at}>
          {at > 0 && (
            <>
              .<wbr />
            </>
          )}
          {part}
        </Fragment>
      ))}
    </Fragment>
  ));
}
