import { ActionIcon, Button, Checkbox } from '@mantine/core'
import { IconArrowBackUp, IconChevronDown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Entry } from './queries.ts'
import { counted, formatDateTime, formatNumber, formatTime } from '#client/lib/format.ts'
import { PersonName } from '#client/ui/display/person-name.tsx'
import { ChangeDiff } from './change-diff.tsx'
import { kindOf } from './field-changes.ts'
import type { EntryGroup } from './group-entries.ts'
import { useChangeWords } from './use-change-words.ts'
import classes from './history-group.module.css'

interface Shared {
  selected: ReadonlySet<string>
  /** Absent where changes are undone one by one. */
  onSelect?: (ids: readonly string[], value: boolean) => void
  onRevert: (entries: readonly Entry[]) => void
  /** Whether the user may undo changes; others only see them. */
  revertible: boolean
}

const namedAtMost = 3
const signs = { created: '+', deleted: '−', changed: '~' } as const

/** All changes of one call, collapsed; its changes are separate rows below. */
export function GroupRow({
  group: { entries },
  open,
  onToggle,
  ...shared
}: { group: EntryGroup; open: boolean; onToggle: (open: boolean) => void } & Shared) {
  const { t } = useTranslation(['history', 'common'])
  const words = useChangeWords()
  const [first] = entries
  if (first === undefined) return null

  const ids = entries.map(({ id }) => id)
  const selectedCount = ids.filter((id) => shared.selected.has(id)).length
  const counts = (['created', 'changed', 'deleted'] as const)
    .map((kind) => ({ kind, count: entries.filter((entry) => kindOf(entry) === kind).length }))
    .filter(({ count }) => count > 0)
  const title = t('many', counted(entries.length))
  return (
    <div
      className={`grid start size-13 line-20 ${classes['entry']}`}
      data-fixed={!shared.revertible || undefined}
      data-single={shared.onSelect === undefined || undefined}
    >
      {shared.revertible && shared.onSelect !== undefined ? (
        <Checkbox
          aria-label={t('select', { change: title })}
          checked={selectedCount === ids.length}
          indeterminate={selectedCount > 0 && selectedCount < ids.length}
          onChange={(event) => shared.onSelect?.(ids, event.currentTarget.checked)}
        />
      ) : null}
      <Time at={first.at} />
      <div className={`shrink ${classes['what']}`}>
        <button
          type="button"
          className={`inline bare gap-6 primary text-start pointer radius-s ${classes['fold']}`}
          aria-expanded={open}
          onClick={() => onToggle(!open)}
        >
          <strong>{title}</strong>
          <IconChevronDown size={14} stroke={1.8} aria-hidden />
        </button>
        <p className={`flex wrap secondary ${classes['counts']}`}>
          {counts.length > 1
            ? counts.map(({ kind, count }) => <span key={kind}>{t(`counted.${kind}`, { formatted: formatNumber(count) })}</span>)
            : [
                ...entries.slice(0, namedAtMost).map((entry) => <span key={entry.id}>{words.title(entry)}</span>),
                <span key="more">{t('common:and_more', { formatted: formatNumber(entries.length - namedAtMost) })}</span>,
              ]}
        </p>
      </div>
      <Who entry={first} />
      {shared.revertible ? <RevertButton label={t('revert_one', { change: title })} onClick={() => shared.onRevert(entries)} /> : null}
    </div>
  )
}

/** A single change. */
export function EntryRow({ entry, inner, selected, onSelect, onRevert, revertible }: { entry: Entry; inner: boolean } & Shared) {
  const { t } = useTranslation('history')
  const words = useChangeWords()
  const kind = kindOf(entry)
  const title = words.title(entry)
  return (
    <div
      className={`grid start size-13 line-20 ${classes['entry']}`}
      data-inner={inner || undefined}
      data-fixed={!revertible || undefined}
      data-single={onSelect === undefined || undefined}
      data-reverted={entry.revertedById !== null || undefined}
    >
      {revertible && onSelect !== undefined ? (
        <Checkbox
          aria-label={t('select', { change: title })}
          checked={selected.has(entry.id)}
          onChange={(event) => onSelect([entry.id], event.currentTarget.checked)}
        />
      ) : null}
      {inner ? <span /> : <Time at={entry.at} />}
      <div className={`shrink ${classes['what']}`}>
        <p className={`flex gap-8 shrink anywhere ${classes['title']}`}>
          <span className={`fixed text-center code ${classes['sign']}`} data-kind={kind} aria-hidden>
            {signs[kind]}
          </span>
          <span className="sr-only">{t(`kinds.${kind}`)}: </span>
          <strong className={entry.subject === 'record' ? 'mono' : undefined}>{title}</strong>
        </p>
        <ChangeDiff change={entry} />
      </div>
      {inner ? <Reverted entry={entry} /> : <Who entry={entry} />}
      {revertible ? <RevertButton label={t('revert_one', { change: title })} onClick={() => onRevert([entry])} /> : null}
    </div>
  )
}

function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)} className={`muted ${classes['time']}`}>
      {formatTime(at)}
    </time>
  )
}

function Who({ entry }: { entry: Entry }) {
  const { t } = useTranslation('history')
  return (
    <div className={`flex wrap end secondary ${classes['who']}`}>
      {entry.actor === null ? null : <PersonName label={entry.actor.name} />}
      {entry.source === 'panel' ? null : entry.source === 'operation' && entry.batchId !== null ? (
        <Link
          to="/operations/$id"
          params={{ id: entry.batchId }}
          className={`size-12 secondary nowrap radius-s ${classes['source']}`}
          data-source={entry.source}
          title={t(`sources_help.${entry.source}`)}
        >
          {t(`sources.${entry.source}`)}
        </Link>
      ) : (
        <span
          className={`size-12 secondary nowrap radius-s ${classes['source']}`}
          data-source={entry.source}
          title={t(`sources_help.${entry.source}`)}
        >
          {t(`sources.${entry.source}`)}
        </span>
      )}
      <Reverted entry={entry} />
    </div>
  )
}

function Reverted({ entry }: { entry: Entry }) {
  const { t } = useTranslation('history')
  return entry.revertedById === null ? (
    <span hidden />
  ) : (
    <span className={`size-12 secondary nowrap radius-s ${classes['source']}`}>{t('reverted_mark')}</span>
  )
}

function RevertButton({ label, onClick }: { label: string; onClick: () => void }) {
  const { t } = useTranslation('history')
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        className={classes['revert'] ?? ''}
        aria-label={label}
        leftSection={<IconArrowBackUp size={14} stroke={1.8} />}
        onClick={onClick}
      >
        {t('revert')}
      </Button>
      <ActionIcon className={classes['revertIcon'] ?? ''} size={32} aria-label={label} title={t('revert')} onClick={onClick}>
        <IconArrowBackUp size={16} stroke={1.8} />
      </ActionIcon>
    </>
  )
}
