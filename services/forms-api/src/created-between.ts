interface Period {
  since?: string | undefined;
  until?: string | undefined;
}

/** The filter for documents that were created in the period `[since, until)`. */
export function createdBetween({ since, until }: Period): { createdAt?: { $gte?: string; $lt?: string } } {
  if (since === undefined && until === undefined) return {};
  return {
    createdAt: {
      ...(since === undefined ? {} : { $gte: since }),
      ...(until === undefined ? {} : { $lt: until }),
    },
  };
}
