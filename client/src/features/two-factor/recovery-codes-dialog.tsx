import { Button, Checkbox } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '#client/lib/save-file.ts'
import { useCopy } from '#client/ui/display/copy-button.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import classes from './two-factor.module.css'

/** Shown only once, so it does not close until the user confirms that the codes are stored. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation(['two-factor', 'common'])
  const { copied, copy } = useCopy()
  const [kept, setKept] = useState(false)
  const text = codes.join('\n')
  return (
    <Dialog
      onClose={() => (kept ? onClose() : undefined)}
      title={t('recovery.title')}
      size={440}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <div className="column gap-16">
        <p className="size-13 secondary pretty">{t('recovery.keep')}</p>
        <ul className={`framed grid code on-sunken p-12-16 size-14 ${classes['codes']}`} aria-label={t('recovery.title')}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className={`grid gap-8 ${classes['pair']}`}>
          <Button
            variant="default"
            leftSection={copied ? <IconCheck size={16} stroke={1.8} /> : <IconCopy size={16} stroke={1.7} />}
            onClick={() => void copy(text)}
          >
            {t(copied ? 'common:copied' : 'common:copy')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.7} />}
            onClick={() => saveFile('zonedeck-recovery-codes.txt', 'text/plain', `${text}\n`)}
          >
            {t('recovery.save')}
          </Button>
        </div>
        <Checkbox label={t('recovery.kept')} checked={kept} onChange={(event) => setKept(event.currentTarget.checked)} data-autofocus />
        <Button disabled={!kept} onClick={onClose} fullWidth>
          {t('recovery.done')}
        </Button>
      </div>
    </Dialog>
  )
}
