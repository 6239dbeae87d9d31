/** The ids of the submissions in these webhook requests, in the order of their arrival. */
export const submissionIdsIn = (requests: readonly { rawBody: Buffer }[]): string[] =>
  requests.map(({ rawBody }) => (JSON.parse(rawBody.toString()) as { submissionId: string }).submissionId);

/** The ids that occur more than once. */
export const twice = (ids: readonly string[]): string[] =>
  ids.filter((id, index) => ids.indexOf(id) !== index);
