import {
  acceptedLanguages,
  AppError,
  canonicalTag,
  checkValues,
  closingText,
  hopsOf,
  isAppError,
  localizeRefusal,
  matchLanguage,
  refuseIn,
  spokenFields,
  validationFailed,
  type Language,
  type SubmissionIn,
} from '@svcforms/contracts';
import type { PathRequest, Reply } from '@svcforms/http';
import type { Clock } from '@svcforms/primitives';
import {
  capturedMetadata,
  checkableFields,
  formClosed,
  type FormRecord,
  hasRecipients,
  isPublic,
  type Seats,
  type SubmissionSink,
} from '@svcforms/records';
import type { JudgeSubmission } from '../spam/spam-filter.ts';
import { storeJudged } from './store-judged.ts';

export interface SubmitDeps extends SubmissionSink {
  /** Reads the stored form. */
  findForm: (formId: string) => Promise<FormRecord | null>;
  seats: Seats;
  judgeSubmission: JudgeSubmission;
  /** The public origin, which also serves hosted pages. */
  baseUrl: string;
  now: Clock;
}

type Submit = (request: PathRequest<'formId', unknown, SubmissionIn, null>) => Promise<Reply>;

/** A visitor's submission. Unknown keys, and fields that weren't shown, are left out. */
export function createSubmit(deps: SubmitDeps): Submit {
  const ownOrigin = new URL(deps.baseUrl).origin;

  return inItsLanguage(deps, async (request) => {
    const { params, body, headers, newId, requestId, trace, note } = request;
    const form = await deps.findForm(params.formId);
    if (!isPublic(form)) throw new AppError('NOT_FOUND', 'There is no such form');
    const { language, shownIn } = languageOf(request, form);
    if (headers.origin !== ownOrigin) checkOrigin(form, headers.origin);
    const hops = hopsOf(headers);
    const submissionId = newId('sub');
    const closed = () => formClosed(closingText(form.settings, language));
    if (!(await deps.seats.isOpen(form))) {
      // The request that stored it crashed before it responded.
      const isRetry = headers['idempotency-key'] !== undefined;
      if (isRetry && (await deps.submissions.findOne({ _id: submissionId, formId: form._id }))) {
        return { data: { submissionId } };
      }
      throw closed();
    }
    // A bot gets the usual response, so that it learns nothing.
    if (body.hp) return { data: { submissionId } };

    const fields = spokenFields(checkableFields(form.fields), form.settings, matchLanguage([shownIn]));
    const say = language && language !== 'en' ? refuseIn(language) : undefined;
    const { values, issues } = checkValues(fields, body.data, form.settings.jumps, say);
    if (issues.length > 0) {
      throw validationFailed(issues.map(({ field, message }) => ({ pointer: `/data/${field}`, message })));
    }
    const { spam } = form.settings;
    const verdict = spam?.isEnabled
      ? await deps.judgeSubmission(spam, {
          formId: form._id,
          accountId: form.accountId,
          authorization: headers.authorization,
          fields,
          values,
          body,
          ip: request.ip,
        })
      : {};
    const { quarantineReason } = await storeJudged(deps, form, verdict, {
      id: submissionId,
      accountId: form.accountId,
      formId: form._id,
      formVersion: form.version,
      data: JSON.stringify(values),
      metadata: {
        submittedVia: 'web',
        ...capturedMetadata(form, request),
        ...(body.page === undefined ? {} : { page: body.page }),
        ...(shownIn === undefined ? {} : { language: shownIn }),
      },
      requestId,
      trace,
      hops,
      isQuiet: !hasRecipients(form),
      now: deps.now(),
    }).catch((error: unknown) => {
      throw isAppError(error) && error.code === 'FORM_CLOSED' ? closed() : error;
    });
    note({
      event: quarantineReason ? 'submission.quarantined' : 'submission.accepted',
      ...(quarantineReason && { reason: quarantineReason }),
      formId: form._id,
      submissionId,
      accountId: form.accountId,
    });
    return { data: { submissionId } };
  });
}

/** Words refusals in the visitor's language. English programs get the words of the API. */
function inItsLanguage({ findForm }: Pick<SubmitDeps, 'findForm'>, submit: Submit): Submit {
  return (request) =>
    submit(request).catch(async (error: unknown) => {
      if (!isAppError(error)) throw error;
      const form = await findForm(request.params.formId).catch(() => null);
      const { shownIn, language } = languageOf(request, isPublic(form) ? form : undefined);
      const isProgram = language === 'en' && matchLanguage([shownIn]) === undefined;
      throw language === undefined || isProgram ? error : localizeRefusal(error, language);
    });
}

/**
 * The language in which the form was shown, as it was sent, and the one to respond in: that one, if
 * we speak it, else the preferred one of the client, else that of the form's texts.
 * docs/reference/forms.md#submit-a-form
 */
function languageOf(
  { body, headers }: Pick<Parameters<Submit>[0], 'body' | 'headers'>,
  form?: Pick<FormRecord, 'settings'>,
): { shownIn?: string | undefined; language?: Language | undefined } {
  const shownIn = canonicalTag(body.metadata?.language);
  const accepted = acceptedLanguages(headers['accept-language']);
  const language = matchLanguage([shownIn, ...accepted]) ?? form?.settings.language;
  return { shownIn, language };
}

/**
 * Without a list of origins, any site may submit the form. @throws AppError `ORIGIN_NOT_ALLOWED`
 */
function checkOrigin(form: FormRecord, origin: string | undefined): void {
  const allowed = form.settings.allowedOrigins;
  if (allowed && (origin === undefined || !allowed.includes(origin))) {
    throw new AppError(
      'ORIGIN_NOT_ALLOWED',
      `This form can't be submitted from ${origin ?? 'a client that sends no Origin header'}`,
    );
  }
}
