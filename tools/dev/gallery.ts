import { createThemeForms, PLACEMENT_NAMES } from '../lib/theme-forms.ts';

/** Creates a form for each ready theme and placement. Returns the HTML that shows or opens them. */
export async function createGallery(baseUrl: string, apiKey: string): Promise<string> {
  const forms = await createThemeForms(baseUrl, apiKey);
  const themes = [...new Set(forms.map(({ theme }) => theme))];
  return themes
    .map((theme) => {
      const links = forms
        .filter((form) => form.theme === theme)
        .map(({ placement, id }) =>
          placement === 'inline'
            ? `<a href="${baseUrl}/f/${id}">Hosted page</a>`
            : `<button type="button" data-svc-open="${id}">${PLACEMENT_NAMES[placement]}</button>`,
        );
      return `<h2>${theme}</h2>\n<p class="choices">${links.join('\n')}</p>`;
    })
    .join('\n');
}
