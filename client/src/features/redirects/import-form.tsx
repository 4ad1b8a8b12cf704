import { Button, SegmentedControl } from '@mantine/core'
import { IconFileText, IconUpload, IconX } from '@tabler/icons-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { decodeText } from '#shared/decode-text.ts'
import { messageOf, providerWords } from '#client/lib/errors.ts'
import { counted } from '#client/lib/format.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { sentences } from '#client/lib/text.ts'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { TextPaste } from '#client/ui/form/text-paste.tsx'
import type { PlanRedirects } from './plan-redirects.ts'

/** In characters; larger files are not put into the field, because the browser would render them. */
const shownAtMost = 200_000
const largestFile = 8_000_000

/** The lines that are not blank, counted without a copy of each: a file has up to 100,000. */
function countLines(text: string): number {
  let count = 0
  for (let from = 0; from < text.length;) {
    const next = text.indexOf('\n', from)
    const end = next === -1 ? text.length : next
    while (from < end && text.charCodeAt(from) <= 32) from += 1
    if (from < end) count += 1
    from = end + 1
  }
  return count
}

/** A pasted or chosen CSV file. */
export function ImportForm({
  onChanged,
  onPlan,
  onCancel,
}: {
  /** Whether there is input to lose. */
  onChanged: (isChanged: boolean) => void
  onPlan: PlanRedirects
  onCancel: () => void
}) {
  const { t } = useTranslation('redirects')
  const modeId = useId()
  const [source, setSource] = useState<{ text: string; file: string | null }>({ text: '', file: null })
  const [mode, setMode] = useState<'merge' | 'replace'>('merge')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const file = useRef<HTMLInputElement>(null)
  const lines = useMemo(() => counted(countLines(source.text)), [source.text])
  const isChanged = source.text !== ''
  useEffect(() => onChanged(isChanged), [onChanged, isChanged])
  const type = (text: string): void => {
    setProblem(null)
    setSource({ text, file: null })
  }
  const takeFile = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined) return
    if (chosen.size > largestFile) return setProblem(t('csv.too_large'))
    const text = decodeText(new Uint8Array(await chosen.arrayBuffer()))
    if (text.trim() === '') return setProblem(t('csv.empty'))
    if (text.includes('\0')) return setProblem(t('csv.not_csv'))
    setProblem(null)
    setSource({ text, file: chosen.name })
  }
  const submit = async (): Promise<void> => {
    if (source.text.trim() === '') return setProblem(t('csv.nothing'))
    setProblem(null)
    setBusy(true)
    try {
      await onPlan({ csv: source.text, mode })
    } catch (error) {
      setProblem(sentences(messageOf(error), providerWords(error)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="column gap-14 shrink size-13"
      onSubmit={(event) => handleSubmit(event, submit)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void takeFile(event.dataTransfer.files[0])
      }}
    >
      {source.file !== null || source.text.length > shownAtMost ? (
        <div className="row gap-10 border radius-8 p-10-12">
          <IconFileText size={18} stroke={1.6} aria-hidden />
          <span className="column grow shrink anywhere">
            <bdi>{source.file ?? t('csv.pasted')}</bdi>
            <small className="size-12 muted">{t('csv.lines', lines)}</small>
          </span>
          <Button variant="subtle" color="gray" size="xs" leftSection={<IconX size={14} stroke={1.8} />} onClick={() => type('')}>
            {t('csv.other')}
          </Button>
        </div>
      ) : (
        <TextPaste
          label={t('csv.text')}
          help={t('csv.help')}
          placeholder={
            'old.example.com/page,https://www.example.com/page,301\nold.example.net,https://www.example.com,301,true,true,true,true'
          }
          value={source.text}
          onChange={type}
          faults={[]}
          summary={t('csv.lines', lines)}
        />
      )}
      <input
        ref={file}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        hidden
        aria-label={t('csv.file')}
        onChange={(event) => void takeFile(event.currentTarget.files?.[0])}
      />
      <div>
        <Button variant="default" leftSection={<IconUpload size={15} stroke={1.7} />} onClick={() => file.current?.click()}>
          {t('csv.file')}
        </Button>
      </div>
      <div className="row wrap gap-10 medium">
        <span id={modeId}>{t('csv.mode')}</span>
        <SegmentedControl
          aria-labelledby={modeId}
          value={mode}
          onChange={(value) => setMode(value === 'replace' ? 'replace' : 'merge')}
          data={[
            { value: 'merge', label: t('csv.merge') },
            { value: 'replace', label: t('csv.replace') },
          ]}
        />
      </div>
      <p className="size-12 muted" data-tone={mode === 'replace' ? 'warn' : undefined}>
        {t(`csv.${mode}_hint`)}
      </p>
      <FormEnd refusal={problem} action={t('form.preview')} busy={busy} onCancel={onCancel} />
    </form>
  )
}
