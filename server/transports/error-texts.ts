import type { AppError } from '#shared/errors/app-error.ts'
import type { UnreadableSecret } from '#shared/errors/codes.ts'
import errors from '#shared/i18n/locales/en/errors.json' with { type: 'json' }
import failures from '#shared/i18n/locales/en/failures.json' with { type: 'json' }
import faults from '#shared/i18n/locales/en/faults.json' with { type: 'json' }
import validation from '#shared/i18n/locales/en/validation.json' with { type: 'json' }
import type { ErrorData } from '#server/transports/trpc/trpc.ts'

const codes: Readonly<Record<string, string>> = { ...errors.codes, ...failures.codes }
const unreadable: Readonly<Record<string, string>> = errors.unreadable satisfies Readonly<Record<UnreadableSecret, string>>
const refusals: Readonly<Record<string, string>> = failures.refusals
const issues: Readonly<Record<string, string>> = { ...validation, ...faults }

const fill = (text: string, params: Readonly<Record<string, string | number>>) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => String(params[name] ?? whole))

/** The English text of an error, for scripts. A known error code of the provider has a more specific text. */
export const errorText = ({ code, params, provider }: Pick<AppError, 'code' | 'params' | 'provider'> | ErrorData): string =>
  (code === 'provider_rejected' ? refusals[provider?.code ?? ''] : undefined) ??
  fill((code === 'secret_unreadable' ? unreadable[String(params['secret'])] : undefined) ?? codes[code] ?? code, params)

/** The English text of an issue, by its key. */
export const issueText = (message: string, params: Readonly<Record<string, string | number>> = {}): string =>
  fill(issues[message] ?? message, params)
