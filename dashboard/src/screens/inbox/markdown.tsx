import { Typography } from '@mantine/core';
import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import { useEffect, useRef } from 'react';

// HTML stays text. Images are off, because the content security policy blocks external ones.
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true }).disable('image');
/** The task's own heading has a higher level. */
const FIRST_LEVEL = 3;
markdown.core.ruler.push('lower_headings', ({ tokens }) => {
  for (const token of tokens) {
    if (!token.type.startsWith('heading_')) continue;
    token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + FIRST_LEVEL - 1)}`;
  }
});

const ALLOWED = {
  RETURN_DOM_FRAGMENT: true,
  // prettier-ignore
  ALLOWED_TAGS: [
    'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'a',
    'strong', 'em', 's', 'table', 'thead', 'tbody', 'tr', 'th', 'td',
  ],
  ALLOWED_ATTR: ['href', 'title', 'start'],
} as const;

/** Renders untrusted Markdown. Links are its only active content. */
export function Markdown({ text }: { text: string }) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const content = DOMPurify.sanitize(markdown.render(text), {
      ...ALLOWED,
      ALLOWED_TAGS: [...ALLOWED.ALLOWED_TAGS],
      ALLOWED_ATTR: [...ALLOWED.ALLOWED_ATTR],
    });
    for (const link of content.querySelectorAll('a')) {
      link.target = '_blank';
      link.rel = 'noopener noreferrer nofollow';
    }
    container.current?.replaceChildren(content);
  }, [text]);
  return (
    <Typography>
      <div ref={container} className="markdown" />
    </Typography>
  );
}
