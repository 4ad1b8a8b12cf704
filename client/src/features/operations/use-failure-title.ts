import { useTranslation } from 'react-i18next'
import { kindView } from './kinds.ts'

/** The failure title for this number of domains; `otherwise` for another kind. */
export function useFailureTitle(kind: string, otherwise: 'bulk.failed' | 'preview.failed', count: number): string {
  const { t } = useTranslation(['operations', 'domains', 'errors', 'zone'])
  return t(kindView(kind).failed ?? `operations:${otherwise}`, { count })
}
