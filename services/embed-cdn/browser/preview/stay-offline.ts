import type { PublicForm } from '@svcforms/contracts';

/**
 * Stubs the service: the form is the given one, submissions are accepted but not stored, and
 * nothing is counted. The page's policy blocks requests in any case.
 */
export function stayOffline(form: () => PublicForm | undefined): void {
  window.fetch = async (input) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input), location.href);
    return pathname.endsWith('/submissions')
      ? Response.json({ success: true, data: {} }, { status: 201 })
      : Response.json(form() ?? null, { status: form() ? 200 : 404 });
  };
}
