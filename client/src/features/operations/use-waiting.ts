import { useTranslation } from 'react-i18next'
import type { Operation } from '#shared/features/operations/schema.ts'
import { formatTime } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { useOperationWords } from './use-operation-words.ts'

/** Why an operation waits and until when, in words; null while it does not. */
export function useWaiting(operation: Operation | undefined): string | null {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const waits = operation !== undefined && operation.waiting > 0 && (operation.state === 'running' || operation.state === 'waiting')
  const first = trpc.operations.items.useQuery({ id: operation?.id ?? '', state: 'waiting', limit: 1 }, { enabled: waits, staleTime: 0 })
    .data?.items[0]
  if (!waits) return null
  if (first?.waitUntil === undefined || first.waitUntil === null) return t('page.waits_turn')
  return t('page.waits', { time: formatTime(first.waitUntil), why: first.code === null ? t('states.waiting') : words.code(first.code) })
}
