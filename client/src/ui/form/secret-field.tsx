import { ActionIcon } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../display/copy-button.tsx'
import classes from './secret-field.module.css'

/** A value that is masked until it is revealed; it can be copied without revealing it. */
export function SecretField({ label, value, secret = true }: { label: string; value: string; secret?: boolean }) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(!secret)
  return (
    <div className="column gap-6">
      <div className="size-13 medium secondary">{label}</div>
      <div className={`row framed gap-2 on-sunken ${classes['box']}`}>
        <span className={`grow shrink anywhere code ${classes['value']}`} data-masked={!shown || undefined}>
          {shown ? value : '••••••••••••••••'}
        </span>
        {secret ? (
          <ActionIcon size={24} aria-label={`${t(shown ? 'hide' : 'show')}: ${label}`} onClick={() => setShown(!shown)}>
            {shown ? <IconEyeOff size={15} stroke={1.7} /> : <IconEye size={15} stroke={1.7} />}
          </ActionIcon>
        ) : null}
        <CopyButton text={value} label={`${t('copy')}: ${label}`} />
      </div>
    </div>
  )
}
