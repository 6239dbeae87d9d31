import { Anchor } from '@mantine/core';
import { parseLinks } from '@svcforms/contracts';

/**
 * A text with links, as labels have them. The pages that they lead to don't learn who opened them.
 */
export function LinkedText({ text }: { text: string }) {
  return parseLinks(text).map((piece, index) =>
    typeof piece === 'string'
      ? piece
      : 'href' in piece && (
          <Anchor
            key={index}
            inherit
            underline="always"
            href={piece.href}
            target="_blank"
            rel="noopener noreferrer nofollow"
          >
            {piece.text}
          </Anchor>
        ),
  );
}
