export { openModal } from '../ui/modal.ts';
export { renderInline } from '../ui/inline.ts';
