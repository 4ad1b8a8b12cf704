import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { previewCalls } from '#shared/features/api-calls/preview-calls.ts'
import { useCopy } from '#client/ui/copy-button.tsx'
import classes from './operations.module.css'

/** What the preview of this operation was asked with: the request that made it is still in the cache. */
function useCalls(id: string) {
  const isIt = (answer: unknown) => (answer as { operation?: { id?: unknown } } | undefined)?.operation?.id === id
  const made = useQueryClient()
    .getMutationCache()
    .getAll()
    .findLast(({ state }) => isIt(state.data))
  const path = made?.options.mutationKey?.[0]
  if (!Array.isArray(path)) return null
  return previewCalls(path.join('.'), made?.state.variables as Readonly<Record<string, unknown>>, window.location.origin)
}

/** An operation as calls of the API, for somebody who wants it again from a program. */
export function CopyApiCall({ id }: { id: string }) {
  const { t } = useTranslation('operations')
  const calls = useCalls(id)
  if (calls === null) return null
  return (
    <div className={classes['actions']}>
      <CopyCall text={calls.curl} label={t('preview.copy_curl')} />
      <CopyCall text={calls.typescript} label={t('preview.copy_typescript')} />
    </div>
  )
}

function CopyCall({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation()
  const { copied, copy } = useCopy()
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      onClick={() => void copy(text)}
    >
      {copied ? t('copied') : label}
    </Button>
  )
}
