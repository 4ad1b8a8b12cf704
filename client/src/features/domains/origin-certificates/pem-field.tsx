import { Button } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '#client/lib/save-file.ts'
import { useCopy } from '#client/ui/display/copy-button.tsx'
import classes from './origin-certificates.module.css'

/** A key or a certificate, to copy or to download. */
export function PemField({ label, text, fileName }: { label: string; text: string; fileName: string }) {
  const { t } = useTranslation(['security', 'common'])
  const { copied, copy } = useCopy()
  const id = useId()
  return (
    <div className="column gap-6" role="group" aria-labelledby={id}>
      <span id={id} className="size-13 medium secondary">
        {label}
      </span>
      {/* Scrollable, so it can have the focus. */}
      <pre className={`framed on-sunken p-8-10 mono ${classes['pem']}`} role="region" tabIndex={0} aria-labelledby={id}>
        {text}
      </pre>
      <div className="row gap-8 wrap">
        <Button variant="default" size="xs" onClick={() => void copy(text)}>
          {copied ? t('common:copied') : t('common:copy')}
        </Button>
        <Button variant="default" size="xs" onClick={() => saveFile(fileName, 'application/x-pem-file', text)}>
          {t('origin.save_file')}
        </Button>
      </div>
    </div>
  )
}
