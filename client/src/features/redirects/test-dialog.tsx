import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { displayAddress, parseRequest } from '#shared/features/redirects/redirect-url.ts'
import { ownListName } from '#shared/features/redirects/own-list.ts'
import type { RedirectTest } from '#shared/features/redirects/schema.ts'
import { fieldErrors, issueText, messageOf } from '#client/lib/errors.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { api } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'

/** Follows a URL through the redirects of the account. */
export function TestDialog({ accountId, onClose }: { accountId: string; onClose: () => void }) {
  const { t } = useTranslation('redirects')
  const [url, setUrl] = useState('')
  const [result, setResult] = useState<RedirectTest | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const run = async (): Promise<void> => {
    setResult(null)
    if (parseRequest(url) === null) return setProblem(issueText({ path: 'url', message: url.trim() === '' ? 'required' : 'invalid_url' }))
    setBusy(true)
    setProblem(null)
    try {
      setResult(await api.redirects.test.query({ id: accountId, url }))
    } catch (error) {
      setProblem(fieldErrors(error)['url'] ?? messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog onClose={onClose} title={t('tester.title')} size={620}>
      <form className="column gap-14" onSubmit={(event) => handleSubmit(event, run)} noValidate>
        <TextInput
          label={t('tester.url')}
          placeholder="old.example.com/page"
          value={url}
          error={problem ?? undefined}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          onChange={(event) => {
            setUrl(event.currentTarget.value)
            setProblem(null)
          }}
        />
        <div className="flex end">
          <Button type="submit" loading={busy}>
            {t('tester.run')}
          </Button>
        </div>
        <div role="status">{result === null ? null : <Result result={result} />}</div>
      </form>
    </Dialog>
  )
}

function Result({ result: { hops, end, isLoop, domain, inactive, uncertain } }: { result: RedirectTest }) {
  const { t } = useTranslation('redirects')
  const decided = ({ by, kind, list }: RedirectTest['hops'][number]): string => {
    if (kind === 'rule') return t('tester.by_rule', { source: by })
    const source = displayAddress(by)
    return list === null || list === ownListName ? t('tester.by', { source }) : t('tester.by_list', { source, list })
  }
  return (
    <div className="column gap-10 size-13">
      {hops.length === 0 ? <p>{t(domain === null ? 'tester.foreign' : 'tester.none')}</p> : null}
      <ol className="column gap-8">
        {hops.map((hop, at) => (
          <li className="column shrink" key={`${at} ${hop.url}`}>
            <bdi className="mono anywhere">{displayAddress(hop.url)}</bdi>
            <span className="size-12 muted anywhere">
              {hop.status} {decided(hop)}
            </span>
          </li>
        ))}
      </ol>
      {isLoop ? (
        <p className="bad">{t('tester.loop')}</p>
      ) : hops.length === 0 ? null : (
        <p>
          {t('tester.end')}: <bdi className="mono semibold anywhere">{displayAddress(end)}</bdi>
        </p>
      )}
      {inactive === null ? null : (
        <p className="anywhere">{t(`tester.inactive.${inactive.rule}`, { source: displayAddress(inactive.source) })}</p>
      )}
      {uncertain === null ? null : (
        <p className="border radius-8 p-10-12 secondary">
          <strong className="block primary">{t('tester.uncertain')}</strong>{' '}
          {t(`tester.${uncertain.reason}`, { domain: uncertain.domain, rule: uncertain.rule ?? '' })}
        </p>
      )}
    </div>
  )
}
