import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { CallTexts } from '#shared/features/api-calls/preview-calls.ts'
import { useCopy } from './copy-button.tsx'

/** Copies a preview as API calls for a program. `write` runs on copying. */
export function CopyCalls({ write }: { write: () => CallTexts }) {
  const { t } = useTranslation()
  return (
    <>
      <CopyCall write={() => write().curl} label={t('copy_curl')} />
      <CopyCall write={() => write().typescript} label={t('copy_typescript')} />
    </>
  )
}

function CopyCall({ write, label }: { write: () => string; label: string }) {
  const { t } = useTranslation()
  const { copied, copy } = useCopy()
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      onClick={() => void copy(write())}
    >
      {copied ? t('copied') : label}
    </Button>
  )
}
