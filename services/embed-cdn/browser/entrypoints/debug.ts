import { explainTag } from '../debug/explain-tag.ts';

const { origin } = new URL(import.meta.url);
document.querySelectorAll('script[data-svc-debug]').forEach((tag) => void explainTag(tag, origin));
