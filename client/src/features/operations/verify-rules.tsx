import { Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Whether Cloudflare checks the rules of a profile before anything in a domain changes. */
export function VerifyRules({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  const { t } = useTranslation('operations')
  return (
    <Checkbox
      size="sm"
      label={t('profile.verify')}
      description={t('profile.verify_help')}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
