import { Button, Checkbox, SegmentedControl } from '@mantine/core'
import { IconFileText, IconUpload, IconX } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { confirmedCalls } from '#shared/features/api-calls/preview-calls.ts'
import type { ImportPlan } from '#shared/features/domains/records/schema.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { codeWords, fieldErrors, messageOf, providerWords } from '#client/lib/errors.ts'
import { formatNumber } from '#client/lib/format.ts'
import { sentences } from '#client/lib/text.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { CopyCalls } from '#client/ui/copy-calls.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Progress } from '#client/ui/progress.tsx'
import { TextPaste } from '#client/ui/text-paste.tsx'
import { ImportPlanView } from './import-plan-view.tsx'
import classes from './import-dialog.module.css'

/** Characters; more is not put into a field, because the browser would draw it all. */
const shownAtMost = 200_000
const largestFile = 4 * 1024 * 1024

type Mode = 'add' | 'replace'
interface Source {
  text: string
  /** Null: typed or pasted. */
  file: string | null
}

/** Brings a zone file in: first what it would change, line by line, and only then, when somebody agrees, the change. */
export function ImportDialog({
  zoneId,
  zone,
  text,
  onDone,
  onClose,
}: {
  zoneId: string
  zone: { name: string; title: string }
  /** What was pasted already. */
  text: string
  onDone: () => void
  onClose: () => void
}) {
  const { t } = useTranslation(['records', 'common'])
  const [source, setSource] = useState<Source>({ text, file: null })
  const [mode, setMode] = useState<Mode>('add')
  const [proxied, setProxied] = useState(false)
  const [plan, setPlan] = useState<ImportPlan | null>(null)
  const [result, setResult] = useState<Outputs['records']['importFile'] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const preview = trpc.records.previewImport.useMutation({ meta: { failure: false } })
  const run = trpc.records.importFile.useMutation({ meta: { failure: false } })
  const counted = (count: number) => ({ count, formatted: formatNumber(count) })
  const tell = (error: unknown): void => setProblem(fieldErrors(error)['text'] ?? sentences(messageOf(error), providerWords(error)))

  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    if (file.size > largestFile) return setProblem(t('import.too_large'))
    setProblem(null)
    setSource({ text: await file.text(), file: file.name })
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    void take(event.dataTransfer.files[0])
  }
  const wanted = { id: zoneId, text: source.text, mode, proxied }
  const look = async (): Promise<void> => {
    if (source.text.trim() === '') return setProblem(t('import.nothing'))
    setProblem(null)
    try {
      setPlan(await preview.mutateAsync(wanted))
    } catch (error) {
      tell(error)
    }
  }
  const begin = async (agreed: ImportPlan): Promise<void> => {
    setProblem(null)
    try {
      const answer = await run.mutateAsync({ ...wanted, token: agreed.token })
      onDone()
      if (answer.failed.length > 0) return setResult(answer)
      toast.success(t('import.done', counted(answer.done)))
      onClose()
    } catch (error) {
      tell(error)
      // Part of it may have been done.
      onDone()
    }
  }

  const changes = plan === null ? 0 : plan.addedCount + plan.changedCount + plan.deletedCount
  const big = source.file !== null || source.text.length > shownAtMost
  return (
    <Dialog onClose={run.isPending ? () => undefined : onClose} title={t('import.title', { zone: zone.title })} size={880}>
      <div className="column gap-14 shrink size-13">
        {result !== null ? (
          <ImportResult result={result} />
        ) : plan === null ? (
          <form
            id="zone-file"
            className="column gap-14 shrink size-13"
            onSubmit={(event) => handleSubmit(event, look)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={drop}
          >
            {big ? (
              <div className={`row gap-10 border radius-8 ${classes['file']}`}>
                <IconFileText size={18} stroke={1.6} aria-hidden />
                <span className="column grow shrink anywhere">
                  <bdi>{source.file ?? t('import.pasted')}</bdi>
                  <small className="size-12 muted">{t('import.lines', counted(source.text.split('\n').length))}</small>
                </span>
                <Button
                  variant="subtle"
                  color="gray"
                  size="xs"
                  leftSection={<IconX size={14} stroke={1.8} />}
                  onClick={() => setSource({ text: '', file: null })}
                >
                  {t('import.other')}
                </Button>
              </div>
            ) : (
              <TextPaste
                label={t('import.text')}
                help={t('import.help')}
                placeholder={`$ORIGIN ${zone.name}.\n@    300  IN  A      203.0.113.10\nwww  300  IN  CNAME  @\n@    300  IN  MX     10 mail`}
                value={source.text}
                onChange={(next) => {
                  setProblem(null)
                  setSource({ text: next, file: null })
                }}
                faults={[]}
                summary={t('import.lines', counted(source.text.split('\n').filter((line) => line.trim() !== '').length))}
              />
            )}
            <input
              ref={input}
              type="file"
              accept=".txt,.zone,.bind,.db,text/*"
              hidden
              aria-label={t('import.file')}
              onChange={(event) => void take(event.currentTarget.files?.[0])}
            />
            <div className={`row wrap ${classes['choices']}`}>
              <Button variant="default" leftSection={<IconUpload size={15} stroke={1.7} />} onClick={() => input.current?.click()}>
                {t('import.file')}
              </Button>
              <SegmentedControl
                aria-label={t('import.mode')}
                value={mode}
                onChange={(value) => setMode(value === 'replace' ? 'replace' : 'add')}
                data={[
                  { value: 'add', label: t('import.add') },
                  { value: 'replace', label: t('import.replace') },
                ]}
              />
              <Checkbox label={t('import.proxied')} checked={proxied} onChange={(event) => setProxied(event.currentTarget.checked)} />
            </div>
            <p className="size-12 muted" data-tone={mode === 'replace' ? 'warn' : undefined}>
              {t(mode === 'replace' ? 'import.replace_hint' : 'import.add_hint')}
            </p>
          </form>
        ) : (
          <ImportPlanView plan={plan} zone={zone} />
        )}
        {run.isPending ? (
          <div className="column gap-8 secondary">
            <span role="status">{t('import.running', counted(changes))}</span>
            <Progress label={t('import.running', counted(changes))} value={0} total={undefined} />
          </div>
        ) : null}
        {problem === null ? null : (
          <p className="bad anywhere radius on-bad p-8-10" role="alert">
            {problem}
          </p>
        )}
        <div className="flex gap-8 end">
          {result !== null ? (
            <Button onClick={onClose}>{t('common:close')}</Button>
          ) : plan === null ? (
            <>
              <Button variant="default" onClick={onClose}>
                {t('common:cancel')}
              </Button>
              {/* The key tells it from the button that stands there before: React would let one become the other in the middle of its click. */}
              <Button key="preview" type="submit" form="zone-file" loading={preview.isPending}>
                {t('import.preview')}
              </Button>
            </>
          ) : (
            <>
              {changes === 0 ? null : <CopyCalls write={() => confirmedCalls('records.importFile', wanted, window.location.origin)} />}
              <Button
                key="back"
                variant="default"
                disabled={run.isPending}
                onClick={() => {
                  setProblem(null)
                  setPlan(null)
                }}
              >
                {t('import.back')}
              </Button>
              <Button
                {...(plan.deletedCount > 0 && { color: 'red' })}
                disabled={changes === 0}
                loading={run.isPending}
                onClick={() => void begin(plan)}
              >
                {changes === 0 ? t('import.no_changes') : t('import.run', counted(changes))}
              </Button>
            </>
          )}
        </div>
      </div>
    </Dialog>
  )
}

/** What the provider did not take, in its words. */
function ImportResult({ result }: { result: Outputs['records']['importFile'] }) {
  const { t } = useTranslation('records')
  const counted = (count: number) => ({ count, formatted: formatNumber(count) })
  return (
    <>
      <p>
        {t('import.done', counted(result.done))} {t('import.failed', counted(result.failed.length))}
      </p>
      <ul className={`column gap-8 ${classes['failures']}`}>
        {result.failed.slice(0, 500).map((failed) => (
          <li className="column" key={`${failed.kind} ${failed.index}`}>
            <strong>
              {failed.type} {failed.name}
            </strong>
            <span className="bad">{sentences(codeWords(failed.code), failed.message)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
