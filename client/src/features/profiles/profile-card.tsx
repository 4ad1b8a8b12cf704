import { IconStarFilled } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Profile } from './mutations.ts'
import { useSettingWords } from '#client/features/domains/index.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { PersonName } from '#client/ui/display/person-name.tsx'
import { ProfileMenu, type ProfileAction } from './profile-menu.tsx'
import { useDifferingWords } from './use-differing-words.ts'
import classes from './profiles.module.css'

export const profileCardHeight = 244
const linesShown = 6

/** A profile with its contents, its domains, and how many of them have drifted. */
export function ProfileCard({
  profile,
  owner,
  onAction,
}: {
  profile: Profile
  /** Shown if the list contains profiles of other users. */
  owner: string | null
  onAction: (action: ProfileAction) => void
}) {
  const { t } = useTranslation(['profiles', 'common', 'rule-names'])
  const words = useSettingWords()
  const { id, name, settings, records, rules, isDefault, domains } = profile
  const lines = [
    ...Object.entries(settings)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => ({ key, label: words.name(key), value: words.value(key, value) ?? '', mono: false })),
    ...records.map((record, index) => ({
      key: String(index),
      label: `${record.type} ${record.name}`,
      value: [record.priority, record.content].filter((part) => part !== undefined).join(' '),
      mono: true,
    })),
    ...rules.map(({ key, phase, description, expression }) => ({
      key: `rule ${key}`,
      label: t(`rule-names:phases.${phase}`),
      value: description === '' ? expression : description,
      mono: false,
    })),
  ]
  const shown = lines.length > linesShown ? lines.slice(0, linesShown - 1) : lines
  return (
    <article className="column gap-10 shrink fill">
      <header className="flex gap-8 top shrink">
        <span className="column grow shrink">
          <button type="button" className={`hover-underline ${classes['cardName']}`} title={name} onClick={() => onAction('edit')}>
            <bdi>{name}</bdi>
          </button>
          {owner === null ? null : (
            <span className="size-12 line-16 muted cut">
              <PersonName label={owner} />
            </span>
          )}
        </span>
        {isDefault ? (
          <span className={`inline fixed size-12 line-18 primary ${classes['default']}`}>
            <IconStarFilled size={11} aria-hidden />
            {t('default')}
          </span>
        ) : null}
        <span className={classes['cardMenu']}>
          <ProfileMenu profile={profile} onAction={onAction} />
        </span>
      </header>
      <dl className={`column gap-4 grow clip line-20 ${classes['lines']}`}>
        {shown.map(({ key, label, value, mono }) => (
          <div className="grid gap-12" key={`${mono} ${key}`}>
            <dt className={mono ? 'mono' : undefined}>
              <bdi>{label}</bdi>
            </dt>
            <dd className={mono ? 'mono' : undefined} title={value}>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
        {shown.length === lines.length ? null : (
          <div className="grid gap-12">
            <dt>{t('common:and_more', { formatted: formatNumber(lines.length - shown.length) })}</dt>
          </div>
        )}
      </dl>
      <footer className={`row gap-12 between ${classes['cardFoot']}`}>
        <button
          type="button"
          className="bare size-13 medium primary pointer radius-s underlined hover-current"
          onClick={() => onAction('domains')}
        >
          {t('common:domains', counted(domains))}
        </button>
        {domains === 0 ? null : <Differing id={id} />}
      </footer>
    </article>
  )
}

function Differing({ id }: { id: string }) {
  const words = useDifferingWords()
  const { data } = trpc.profiles.differing.useQuery({ id }, { trpc: { context: { unbatched: true } } })
  if (data === undefined) return null
  return <StateBadge quiet tone={data.differing > 0 ? 'warn' : data.unread > 0 ? 'idle' : 'good'} label={words(data)} />
}
