import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isErrorCode } from '#shared/errors/codes.ts'
import { codeWords } from '#client/lib/errors.ts'
import type { Outputs } from '#client/lib/trpc.ts'
import { CopyText, useCopy } from '#client/ui/copy-button.tsx'
import classes from './add-domain.module.css'

/** The domain is there: what is left to do at its registrar, and what could not be set. */
export function AddedDomain({
  added: { zone, problems },
  onAgain,
  onClose,
}: {
  added: Outputs['zoneCreation']['create']
  onAgain: () => void
  onClose: () => void
}) {
  const { t } = useTranslation(['domains', 'common'])
  const { copied, copy } = useCopy()
  return (
    <div className={classes['form']}>
      <p>
        <Link to="/domains/$id" params={{ id: zone.id }} onClick={onClose} className={classes['name'] ?? ''}>
          {zone.displayName}
        </Link>
        {` ${t('add.done_text')}`}
      </p>
      <ul className={classes['servers']} aria-label={t('add.name_servers')}>
        {zone.nameServers.map((server) => (
          <li key={server} className="mono">
            <CopyText text={server} />
          </li>
        ))}
      </ul>
      {problems.length === 0 ? null : (
        <div role="alert" className={classes['refusal']}>
          <p>{t('add.incomplete')}</p>
          <ul>
            {problems.map(({ part, code, message }) => (
              <li key={part}>
                {[`${t(`add.parts.${part}`)}:`, isErrorCode(code) ? codeWords(code) : code, message].filter(Boolean).join(' ')}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className={classes['actions']}>
        <Button variant="default" onClick={() => void copy(zone.nameServers.join('\n'))}>
          {copied ? t('common:copied') : t('add.copy_servers')}
        </Button>
        <Button variant="default" onClick={onAgain}>
          {t('add.again')}
        </Button>
        <Button onClick={onClose}>{t('common:close')}</Button>
      </div>
    </div>
  )
}
