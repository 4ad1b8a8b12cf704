import { csvFile } from '#shared/csv.ts'
import type { LogEntry } from './item-log.ts'
import type { Item } from './queries.ts'
import type { OperationWords } from './use-operation-words.ts'

/** Column headers are the same in every language, so that scripts can read the file. */
type Words = Pick<OperationWords, 'code' | 'advice'>
const reason = (code: string | null, words: Words): string | null => code && words.code(code)

/** Failed items with the reason, the provider's message, and advice. */
export const failuresCsv = (items: readonly Item[], words: Words): string =>
  csvFile([
    ['domain', 'account', 'code', 'reason', 'advice', 'providerCode', 'provider', 'finishedAt'],
    ...items.map(({ domain, account, code, providerCode, message, finishedAt }) => [
      domain,
      account,
      code,
      reason(code, words),
      code && words.advice(code),
      providerCode,
      message,
      finishedAt,
    ]),
  ])

/** The log of new domains. */
export const logCsv = (entries: readonly LogEntry[], words: Words): string =>
  csvFile([
    ['time', 'level', 'domain', 'account', 'code', 'reason', 'providerCode', 'provider'],
    ...entries.map(({ at, level, domain, account, code, providerCode, message }) => [
      at,
      level,
      domain,
      account,
      code,
      reason(code, words),
      providerCode,
      message,
    ]),
  ])
