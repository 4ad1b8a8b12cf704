import { ActionIcon } from '@mantine/core'
import { IconCheck, IconLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Domain } from '#shared/features/domains/schema.ts'
import { useCopy } from '#client/ui/display/copy-button.tsx'
import { siteOf } from './open-site.tsx'

/** Copies the link to a domain (R-DOM-12). */
export function CopyLink({ domain, size = 24 }: { domain: Pick<Domain, 'name'>; size?: number }) {
  const { t } = useTranslation(['domains', 'common'])
  const { copied, copy } = useCopy(t('actions.copy_link_failed'))
  const words = copied ? t('common:copied') : t('actions.copy_link')
  return (
    <ActionIcon size={size} aria-label={words} title={words} onClick={() => void copy(siteOf(domain))}>
      {copied ? <IconCheck size={14} stroke={2} color="var(--good)" /> : <IconLink size={14} stroke={1.7} />}
    </ActionIcon>
  )
}
