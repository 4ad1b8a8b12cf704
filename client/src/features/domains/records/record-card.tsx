import { joinFacts } from '#client/lib/text.ts'
import { ActionIcon } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLock } from '#client/features/sharing/index.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { CopyText } from '#client/ui/display/copy-button.tsx'
import { SelectBox } from '#client/ui/table/select-box.tsx'
import { ProxyToggle, useProxyWords } from './proxy-toggle.tsx'
import { labelOf } from './record-draft.ts'
import { useTtlWords } from './use-ttl-words.ts'
import classes from './records.module.css'

export const recordCardHeight = 112

/** A record on a phone; tapping its text opens the editor. */
export function RecordCard({
  record,
  zone,
  busy,
  refusal,
  selected,
  onSelect,
  onOpen,
  onProxy,
  onDelete,
}: {
  record: DnsRecord
  zone: { name: string; title: string }
  busy: boolean
  /** The provider's error for a rejected change. */
  refusal: string | undefined
  selected: boolean
  onSelect: (selected: boolean) => void
  onOpen: () => void
  onProxy: (record: DnsRecord) => void
  onDelete: () => void
}) {
  const { t } = useTranslation(['records', 'common'])
  const ttlWords = useTtlWords()
  const proxyWords = useProxyWords()
  const locked = useLock()('operate')
  const title = `${record.type} ${record.name}`
  const content = (
    <bdi className={classes['content']} dir="ltr">
      {record.content}
    </bdi>
  )
  return (
    <div className="column gap-4 shrink fill size-13">
      <div className={`row gap-8 shrink ${classes['cardTop']}`}>
        {locked === null ? (
          <SelectBox label={t('common:table.select_row', { row: title })} checked={selected} onClick={() => onSelect(!selected)} />
        ) : null}
        <span className={classes['type']}>{record.type}</span>
        <RecordName name={record.name} zoneName={zone.name} zoneTitle={zone.title} />
        {locked === null ? (
          <ActionIcon size={28} aria-label={t('delete_record', { record: title })} onClick={onDelete}>
            <IconTrash size={16} stroke={1.7} />
          </ActionIcon>
        ) : null}
      </div>
      {locked === null ? (
        <button
          type="button"
          className={`row bare shrink text-start radius-s ${classes['cardContent']}`}
          aria-label={`${t('edit_record', { record: title })}: ${record.content}`}
          onClick={onOpen}
        >
          {content}
        </button>
      ) : (
        <span className={`row bare shrink text-start radius-s ${classes['cardContent']}`}>
          <CopyText text={record.content}>{content}</CopyText>
        </span>
      )}
      <div className="row gap-8 shrink">
        <ProxyToggle record={record} words={proxyWords} busy={busy} locked={locked} onToggle={onProxy} />
        {refusal === undefined ? (
          <span className={`cut shrink size-12 muted ${classes['cardNote']}`}>
            {joinFacts(
              ttlWords(record.ttl),
              record.priority === null ? null : t('priority_of', { priority: record.priority }),
              record.comment,
            )}
          </span>
        ) : (
          <span className={`cut shrink size-12 bad ${classes['cardRefusal']}`} title={refusal} role="alert">
            {refusal}
          </span>
        )}
      </div>
    </div>
  )
}

/** The relative part of the name is emphasized, the zone's name is not. */
export function RecordName({ name, zoneName, zoneTitle }: { name: string; zoneName: string; zoneTitle: string }) {
  const label = labelOf(name, zoneName)
  return (
    <bdi className={classes['name']} dir="ltr" title={name}>
      <span>{label}</span>
      {label === name ? null : <span className="regular muted">{label === '@' ? ` ${zoneTitle}` : `.${zoneTitle}`}</span>}
    </bdi>
  )
}
