import { Button, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { awaitOperation } from '#client/features/operations/index.ts'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { counted } from '#client/lib/format.ts'
import { saveFile } from '#client/lib/save-file.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, utils } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { refreshDomains } from '../list/queries.ts'

/** Deletes the zone at the provider after its name has been typed (R-DOM-09). */
export function DeleteDialog({ zone, onClose }: { zone: DomainDetails; onClose: () => void }) {
  const { t } = useTranslation(['zone', 'common'])
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [saving, setSaving] = useState(false)
  const options = { meta: { failure: t('failed.delete') } }
  const forget = trpc.zoneSettings.remove.useMutation(options)
  const plan = trpc.operations.preview.useMutation(options)
  const start = trpc.operations.start.useMutation(options)
  const busy = forget.isPending || plan.isPending || start.isPending
  const { recordsCount } = zone
  const word = typed.trim().toLowerCase()
  const ready = word === zone.name || word === zone.displayName

  const run = async (): Promise<void> => {
    if (!ready || busy) return
    try {
      if (zone.gone) await forget.mutateAsync({ id: zone.id, name: zone.name })
      else {
        // An operation on one domain, as in bulk, so that its result offers undo.
        const { operation } = await plan.mutateAsync({ request: { kind: 'delete', input: {} }, target: { ids: [zone.id] } })
        await start.mutateAsync({ id: operation.id })
        awaitOperation(operation.id)
      }
    } catch {
      // The toast has reported it.
      return
    }
    await navigate({ to: '/domains' })
    if (zone.gone) toast.success(t('delete.done', { domain: zone.displayName }))
    utils.domains.full.setData({ id: zone.id }, undefined)
    void refreshDomains()
  }

  const save = async (): Promise<void> => {
    setSaving(true)
    try {
      const { fileName, text } = await utils.records.exportFile.fetch({ id: zone.id }, { staleTime: 0 })
      saveFile(fileName, 'text/plain', text)
    } catch (error) {
      toast.failure(error, t('delete.export_failed'))
    } finally {
      setSaving(false)
    }
  }

  return (
    <Dialog onClose={busy ? () => undefined : onClose} title={t('delete.title', { domain: zone.displayName })} size={480}>
      <form className="column gap-16" onSubmit={(event) => handleSubmit(event, run)}>
        <div className="column gap-8 top size-13 secondary">
          <p>
            {zone.gone ? t('delete.text_gone') : recordsCount === null ? t('delete.text_unread') : t('delete.text', counted(recordsCount))}
          </p>
          {zone.gone || zone.status !== 'active' ? null : <p>{t('delete.site')}</p>}
          {zone.gone || recordsCount === null || recordsCount === 0 ? null : (
            <button
              type="button"
              className="bare size-13 primary pointer radius-s underlined hover-current"
              disabled={saving}
              onClick={() => void save()}
            >
              {t('delete.export')}
            </button>
          )}
        </div>
        <TextInput
          label={t('delete.type', { domain: zone.displayName })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          classNames={{ input: 'mono' }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
        />
        <div className="flex gap-8 end mt-4">
          <Button variant="default" onClick={onClose} disabled={busy}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" color="red" disabled={!ready} loading={busy}>
            {t('delete.confirm')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
