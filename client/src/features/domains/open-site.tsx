import { ActionIcon } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Domain } from '#shared/features/domains/schema.ts'

/** The URL of the site, in Punycode, so that every program accepts it. */
export const siteOf = ({ name }: Pick<Domain, 'name'>): string => `https://${name}`

/** Opens the site in a new tab. */
export function OpenSite({ domain, size = 24 }: { domain: { name: string }; size?: 24 | 28 }) {
  const { t } = useTranslation('domains')
  return (
    <ActionIcon
      component="a"
      href={siteOf(domain)}
      target="_blank"
      rel="noreferrer"
      size={size}
      aria-label={t('actions.open_site')}
      title={t('actions.open_site')}
    >
      <IconExternalLink size={size === 24 ? 14 : 15} stroke={1.7} />
    </ActionIcon>
  )
}
