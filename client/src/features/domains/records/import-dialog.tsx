import { Button, Checkbox, SegmentedControl } from '@mantine/core'
import { IconFileText, IconUpload, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { confirmedCalls } from '#shared/features/api-calls/preview-calls.ts'
import type { ImportPlan } from '#shared/features/domains/records/schema.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { codeWords, fieldErrors, messageOf, providerWords } from '#client/lib/errors.ts'
import { counted } from '#client/lib/format.ts'
import { sentences } from '#client/lib/text.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { CopyCalls } from '#client/ui/display/copy-calls.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { Progress } from '#client/ui/chart/progress.tsx'
import { TextPaste } from '#client/ui/form/text-paste.tsx'
import { ImportPlanView } from './import-plan-view.tsx'
import classes from './import-dialog.module.css'

/** In characters; larger files are not put into the field, because the browser would render them. */
const shownAtMost = 200_000
const largestFile = 4 * 1024 * 1024

type Mode = 'add' | 'replace'
interface Source {
  text: string
  /** Null: typed or pasted. */
  file: string | null
}

/** Imports a zone file: first a preview line by line, then the import after confirmation. */
export function ImportDialog({
  domainId,
  zone,
  text,
  onDone,
  onClose,
}: {
  domainId: string
  zone: { name: string; title: string }
  /** Text that was pasted before the dialog opened. */
  text: string
  onDone: () => void
  onClose: () => void
}) {
  const { t } = useTranslation('records')
  const state = useImport(domainId, text, onDone, onClose)
  const { plan, result, problem, running } = state
  return (
    <Dialog onClose={running ? () => undefined : onClose} title={t('import.title', { zone: zone.title })} size={880}>
      <div className="column gap-14 shrink size-13">
        {plan === null ? (
          <ImportForm state={state} zoneName={zone.name} />
        ) : result === null ? (
          <ImportPlanView plan={plan} zone={zone} />
        ) : (
          <ImportResult result={result} />
        )}
        {running && plan !== null ? (
          <div className="column gap-8 secondary">
            <span role="status">{t('import.running', counted(changesOf(plan)))}</span>
            <Progress label={t('import.running', counted(changesOf(plan)))} value={0} total={undefined} />
          </div>
        ) : null}
        {problem === null ? null : (
          <p className="bad anywhere radius on-bad p-8-10" role="alert">
            {problem}
          </p>
        )}
        <ImportActions state={state} onClose={onClose} />
      </div>
    </Dialog>
  )
}

type Import = ReturnType<typeof useImport>

const changesOf = ({ addedCount, changedCount, deletedCount }: ImportPlan): number => addedCount + changedCount + deletedCount

/** The input, its preview and the result. */
function useImport(domainId: string, text: string, onDone: () => void, onClose: () => void) {
  const { t } = useTranslation('records')
  const [source, setSource] = useState<Source>({ text, file: null })
  const [mode, setMode] = useState<Mode>('add')
  const [proxied, setProxied] = useState(false)
  const [plan, setPlan] = useState<ImportPlan | null>(null)
  const [result, setResult] = useState<Outputs['records']['importFile'] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const preview = trpc.records.previewImport.useMutation({ meta: { failure: false } })
  const run = trpc.records.importFile.useMutation({ meta: { failure: false } })
  const input = { id: domainId, text: source.text, mode, proxied }
  const fail = (error: unknown): void => setProblem(fieldErrors(error)['text'] ?? sentences(messageOf(error), providerWords(error)))
  return {
    source,
    mode,
    setMode,
    proxied,
    setProxied,
    plan,
    result,
    problem,
    input,
    previewing: preview.isPending,
    running: run.isPending,
    type: (next: string): void => {
      setProblem(null)
      setSource({ text: next, file: null })
    },
    takeFile: async (file: File | undefined): Promise<void> => {
      if (file === undefined) return
      if (file.size > largestFile) return setProblem(t('import.too_large'))
      setProblem(null)
      setSource({ text: await file.text(), file: file.name })
    },
    preview: async (): Promise<void> => {
      if (source.text.trim() === '') return setProblem(t('import.nothing'))
      setProblem(null)
      try {
        setPlan(await preview.mutateAsync(input))
      } catch (error) {
        fail(error)
      }
    },
    goBack: (): void => {
      setProblem(null)
      setPlan(null)
    },
    run: async ({ token }: ImportPlan): Promise<void> => {
      setProblem(null)
      try {
        const answer = await run.mutateAsync({ ...input, token })
        onDone()
        if (answer.failed.length > 0) return setResult(answer)
        toast.success(t('import.done', counted(answer.done)))
        onClose()
      } catch (error) {
        fail(error)
        // It may have been applied partly.
        onDone()
      }
    },
  }
}

function ImportForm({ state, zoneName }: { state: Import; zoneName: string }) {
  const { t } = useTranslation('records')
  const file = useRef<HTMLInputElement>(null)
  const { source, mode } = state
  const isBig = source.file !== null || source.text.length > shownAtMost
  return (
    <form
      id="zone-file"
      className="column gap-14 shrink size-13"
      onSubmit={(event) => handleSubmit(event, state.preview)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void state.takeFile(event.dataTransfer.files[0])
      }}
    >
      {isBig ? (
        <div className={`row gap-10 border radius-8 ${classes['file']}`}>
          <IconFileText size={18} stroke={1.6} aria-hidden />
          <span className="column grow shrink anywhere">
            <bdi>{source.file ?? t('import.pasted')}</bdi>
            <small className="size-12 muted">{t('import.lines', counted(source.text.split('\n').length))}</small>
          </span>
          <Button variant="subtle" color="gray" size="xs" leftSection={<IconX size={14} stroke={1.8} />} onClick={() => state.type('')}>
            {t('import.other')}
          </Button>
        </div>
      ) : (
        <TextPaste
          label={t('import.text')}
          help={t('import.help')}
          placeholder={`$ORIGIN ${zoneName}.\n@    300  IN  A      203.0.113.10\nwww  300  IN  CNAME  @\n@    300  IN  MX     10 mail`}
          value={source.text}
          onChange={state.type}
          faults={[]}
          summary={t('import.lines', counted(source.text.split('\n').filter((line) => line.trim() !== '').length))}
        />
      )}
      <input
        ref={file}
        type="file"
        accept=".txt,.zone,.bind,.db,text/*"
        hidden
        aria-label={t('import.file')}
        onChange={(event) => void state.takeFile(event.currentTarget.files?.[0])}
      />
      <div className={`row wrap ${classes['choices']}`}>
        <Button variant="default" leftSection={<IconUpload size={15} stroke={1.7} />} onClick={() => file.current?.click()}>
          {t('import.file')}
        </Button>
        <SegmentedControl
          aria-label={t('import.mode')}
          value={mode}
          onChange={(value) => state.setMode(value === 'replace' ? 'replace' : 'add')}
          data={[
            { value: 'add', label: t('import.add') },
            { value: 'replace', label: t('import.replace') },
          ]}
        />
        <Checkbox label={t('import.proxied')} checked={state.proxied} onChange={(event) => state.setProxied(event.currentTarget.checked)} />
      </div>
      <p className="size-12 muted" data-tone={mode === 'replace' ? 'warn' : undefined}>
        {t(mode === 'replace' ? 'import.replace_hint' : 'import.add_hint')}
      </p>
    </form>
  )
}

function ImportActions({ state, onClose }: { state: Import; onClose: () => void }) {
  const { t } = useTranslation(['records', 'common'])
  const { plan } = state
  const changes = plan === null ? 0 : changesOf(plan)
  return (
    <div className="flex gap-8 end">
      {state.result !== null ? (
        <Button onClick={onClose}>{t('common:close')}</Button>
      ) : plan === null ? (
        <>
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          {/* The key distinguishes it from the previous button: otherwise React would reuse the element in the middle of a click. */}
          <Button key="preview" type="submit" form="zone-file" loading={state.previewing}>
            {t('import.preview')}
          </Button>
        </>
      ) : (
        <>
          {changes === 0 ? null : <CopyCalls write={() => confirmedCalls('records.importFile', state.input, window.location.origin)} />}
          <Button key="back" variant="default" disabled={state.running} onClick={state.goBack}>
            {t('import.back')}
          </Button>
          <Button
            {...(plan.deletedCount > 0 && { color: 'red' })}
            disabled={changes === 0}
            loading={state.running}
            onClick={() => void state.run(plan)}
          >
            {changes === 0 ? t('import.no_changes') : t('import.run', counted(changes))}
          </Button>
        </>
      )}
    </div>
  )
}

/** What the provider rejected, with its message. */
function ImportResult({ result }: { result: Outputs['records']['importFile'] }) {
  const { t } = useTranslation('records')
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
