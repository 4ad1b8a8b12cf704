import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BulkDialog } from '#client/features/operations/index.ts'
import { useManagedRegistrars } from '#client/features/registrars/index.ts'
import { isErrorCode } from '#shared/errors/codes.ts'
import { codeWords, messageOf } from '#client/lib/errors.ts'
import { trpc, type Inputs, type Outputs } from '#client/lib/trpc.ts'
import { CopyText, useCopy } from '#client/ui/display/copy-button.tsx'
import { useDomainWords } from '../use-domain-words.ts'
import classes from './add-domain.module.css'

type Answer = Outputs['zoneCreation']['create']
type Part = Answer['problems'][number]['part']

/** The added domain: the remaining step at its registrar, the applied settings, and failures. */
export function AddedDomain({
  added: { zone, problems },
  input,
  onRetry,
  onAgain,
  onClose,
}: {
  added: Answer
  input: Inputs['zoneCreation']['create']
  /** Retries what failed. */
  onRetry: () => Promise<void>
  onAgain: () => void
  onClose: () => void
}) {
  const { t } = useTranslation(['domains', 'common'])
  const { copied, copy } = useCopy()
  const words = useDomainWords()
  const [setting, setSetting] = useState(false)
  const record = input.ipAddress.includes(':') ? 'AAAA' : 'A'
  const failed = new Set(problems.map(({ part }) => part))
  // What applies includes the profile; what failed is what was wanted.
  const applied = failed.has('settings') ? { sslMode: null, https: null } : zone
  const set: { part: Part; text: string }[] = [
    { part: 'records', text: `${[record, ...(input.createWww === false ? [] : ['www'])].join(' + ')} → ${input.ipAddress}` },
    { part: 'settings', text: `SSL: ${words.ssl(applied.sslMode ?? input.sslMode ?? 'flexible')}` },
    ...((applied.https ?? input.alwaysHttps) === false ? [] : [{ part: 'settings' as const, text: t('add.https') }]),
  ]
  const registrar = useManagedRegistrars()?.find(({ id }) => id === input.registrarId)
  const setAt = serversSetAt(registrar, problems)
  if (setAt !== null) set.push({ part: 'name_servers', text: t('add.set_at_registrar', { registrar: setAt }) })
  const holder = trpc.registrars.ofDomain.useQuery({ id: zone.id }, { enabled: setAt === null }).data?.registrar

  return (
    <div className="column gap-16">
      <p>
        <Link to="/domains/$id" params={{ id: zone.id }} onClick={onClose} className="semibold primary">
          {zone.displayName}
        </Link>
        {` ${setAt === null ? t('add.done_text') : t('add.done_set_text', { registrar: setAt })}`}
      </p>
      <div className={`row framed wrap gap-12 between on-sunken ${classes['servers']}`}>
        <ul className="grid gap-6 shrink" aria-label={t('add.name_servers')}>
          {zone.nameServers.map((server) => (
            <li key={server} className="mono">
              <CopyText text={server} />
            </li>
          ))}
        </ul>
        <Button data-autofocus onClick={() => void copy(zone.nameServers.join('\n'))}>
          {copied ? t('common:copied') : t('add.copy_servers')}
        </Button>
        {setAt !== null || holder?.type !== 'API_ENABLED' ? null : (
          <Button variant="default" onClick={() => setSetting(true)}>
            {t('add.set_at', { registrar: holder.name })}
          </Button>
        )}
      </div>
      {setting ? (
        <Suspense>
          <BulkDialog
            kind="name_servers"
            count={1}
            targetOf={() => Promise.resolve({ ids: [zone.id] })}
            onStarted={() => setSetting(false)}
            onClose={() => setSetting(false)}
          />
        </Suspense>
      ) : null}
      <ul className={`flex wrap size-13 secondary ${classes['set']}`} aria-label={t('add.set')}>
        {set
          .filter(({ part }) => !failed.has(part))
          .map(({ text }) => (
            <li key={text}>
              <IconCheck size={14} stroke={2} aria-hidden />
              {text}
            </li>
          ))}
      </ul>
      {problems.length === 0 ? null : <Problems problems={problems} onRetry={onRetry} />}
      <div className="flex wrap gap-8 end">
        <Button variant="default" onClick={onAgain}>
          {t('add.again')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('common:close')}
        </Button>
      </div>
    </div>
  )
}

/** What failed, with a retry. */
function Problems({ problems, onRetry }: { problems: Answer['problems']; onRetry: () => Promise<void> }) {
  const { t } = useTranslation('domains')
  const [trying, setTrying] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const retry = async (): Promise<void> => {
    setTrying(true)
    setFailure(null)
    try {
      await onRetry()
    } catch (error) {
      setFailure(messageOf(error))
    } finally {
      setTrying(false)
    }
  }

  return (
    <div role="alert" className={`size-13 primary radius-8 on-bad p-10-12 ${classes['refusal']}`}>
      <p className={`flex gap-8 top ${classes['refusalHead']}`}>
        <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
        {t('add.incomplete')}
      </p>
      <ul>
        {problems.map(({ part, code, message }) => (
          <li key={part}>
            {[`${t(`add.parts.${part}`)}:`, isErrorCode(code) ? codeWords(code) : code, message].filter(Boolean).join(' ')}
          </li>
        ))}
      </ul>
      {failure === null ? null : <p>{failure}</p>}
      <Button size="xs" variant="default" loading={trying} onClick={() => void retry()}>
        {t('add.retry')}
      </Button>
    </div>
  )
}

interface Registrar {
  readonly name: string
  readonly type: string
}

/** The registrar at which the name servers of the new domain were set; null if they still have to be set manually. */
export function serversSetAt(registrar: Registrar | undefined, problems: readonly { readonly part: string }[]): string | null {
  if (registrar?.type !== 'API_ENABLED') return null
  // A registrar that could not be attached was not called.
  return problems.some(({ part }) => part === 'registrar' || part === 'name_servers') ? null : registrar.name
}
