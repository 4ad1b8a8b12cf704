import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { counted } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { api, type Inputs, type Outputs } from '#client/lib/trpc.ts'
import { useCopy } from '#client/ui/display/copy-button.tsx'
import classes from '../registrars.module.css'

type Filter = Omit<Inputs['registrars']['delegationNames'], 'nameServers'>

/** The required pairs, each with its domains to copy, as a registrar's bulk form needs both. */
export function PairList({ pairs, filter }: { pairs: Outputs['registrars']['delegations']['pairs']; filter: Filter }) {
  const { t } = useTranslation(['registrars', 'common'])
  const { copy } = useCopy()
  const take = async (text: string): Promise<void> => {
    if (await copy(text)) toast.success(t('common:copied'))
  }
  const takeNames = async (nameServers: string[]): Promise<void> => {
    try {
      await take((await api.registrars.delegationNames.query({ ...filter, nameServers })).names.join('\n'))
    } catch (error) {
      toast.failure(error, t('common:copy_failed'))
    }
  }
  const icon = <IconCopy size={14} stroke={1.8} aria-hidden />
  return (
    <ul className={`grid gap-8 ${classes['pairs']}`} aria-label={t('delegation.pairs')}>
      {pairs.map(({ nameServers, count }) => (
        <li key={nameServers.join(' ')}>
          <span className={`shrink anywhere ${classes['pairServers']} mono`}>{nameServers.join(' · ')}</span>
          <span>{t('common:domains', counted(count))}</span>
          <span className="flex wrap gap-8">
            <Button variant="default" size="xs" leftSection={icon} onClick={() => void take(nameServers.join('\n'))}>
              {t('delegation.copy_servers')}
            </Button>
            <Button variant="default" size="xs" leftSection={icon} onClick={() => void takeNames(nameServers)}>
              {t('delegation.copy_names')}
            </Button>
          </span>
        </li>
      ))}
    </ul>
  )
}
