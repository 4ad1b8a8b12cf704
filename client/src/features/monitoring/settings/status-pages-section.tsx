import { Anchor, Select, TextInput } from '@mantine/core'
import { IconExternalLink, IconWorldShare } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StatusPage } from '#shared/features/monitoring/settings.ts'
import { messageOf } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { FormSection } from '#client/ui/form/form-section.tsx'
import { useOwner, useOwnGroups } from '#client/lib/owner-choice.tsx'
import { NamedSwitch } from '#client/ui/form/named-switch.tsx'
import { SettingsRow, SettingsRows } from '#client/ui/table/settings-row.tsx'
import classes from '../monitoring.module.css'

type Dialog = { kind: 'save'; groupId: string; page: StatusPage | null } | { kind: 'delete'; page: StatusPage }

/** Public status pages of groups. */
export function StatusPagesSection() {
  const { t } = useTranslation('monitoring')
  const utils = trpc.useUtils()
  const groups = useOwnGroups()
  const list = trpc.monitoring.statusPages.useQuery(useOwner())
  const remove = trpc.monitoring.removeStatusPage.useMutation({ meta: { failure: t('failed.act') } })
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const pages = list.data?.statusPages ?? []
  const free = groups.filter(({ id }) => pages.every(({ groupId }) => groupId !== id))
  return (
    <FormSection title={t('status_pages.title')} text={t('status_pages.text')}>
      <SettingsRows
        label={t('status_pages.title')}
        rows={pages}
        row={(page) => (
          <SettingsRow
            key={page.groupId}
            icon={IconWorldShare}
            name={
              <>
                <bdi>{page.title}</bdi>
                {page.enabled ? null : <span className="size-12 muted">{t('status_pages.off')}</span>}
              </>
            }
            about={
              <>
                <bdi>{page.groupName}</bdi> ·{' '}
                <Anchor href={`/status/${page.slug}`} target="_blank" rel="noopener noreferrer" size="xs">
                  /status/{page.slug} <IconExternalLink size={12} aria-hidden />
                </Anchor>
              </>
            }
            edit={{
              label: t('status_pages.edit_one', { name: page.title }),
              onPress: () => setDialog({ kind: 'save', groupId: page.groupId, page }),
            }}
            remove={{ label: t('status_pages.delete_one', { name: page.title }), onPress: () => setDialog({ kind: 'delete', page }) }}
          />
        )}
      />
      {groups.length === 0 ? (
        <p className="size-12 muted">{t('overrides.no_groups')}</p>
      ) : free.length === 0 ? null : (
        <Select
          className={classes['short'] ?? ''}
          label={t('status_pages.add')}
          placeholder={t('overrides.choose')}
          data={free.map(({ id, name }) => ({ value: id, label: name }))}
          value={null}
          searchable
          onChange={(groupId) => groupId !== null && setDialog({ kind: 'save', groupId, page: null })}
        />
      )}
      {dialog === null ? null : dialog.kind === 'delete' ? (
        <ConfirmDialog
          title={t('status_pages.delete_title', { name: dialog.page.title })}
          consequence={<p>{t('status_pages.delete_text', { path: `/status/${dialog.page.slug}` })}</p>}
          action={t('delete')}
          count={1}
          onConfirm={async () => {
            await remove.mutateAsync({ groupId: dialog.page.groupId })
            await utils.monitoring.statusPages.invalidate()
          }}
          onClose={() => setDialog(null)}
        />
      ) : (
        <PageDialog
          groupId={dialog.groupId}
          page={dialog.page}
          groupName={groups.find(({ id }) => id === dialog.groupId)?.name ?? ''}
          onClose={() => setDialog(null)}
        />
      )}
    </FormSection>
  )
}

/** The Latin letters and digits of a name, as used in a URL. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)

function PageDialog({
  groupId,
  groupName,
  page,
  onClose,
}: {
  groupId: string
  groupName: string
  page: StatusPage | null
  onClose: () => void
}) {
  const { t } = useTranslation('monitoring')
  const utils = trpc.useUtils()
  const save = trpc.monitoring.saveStatusPage.useMutation({ meta: { failure: false } })
  const form = useForm({
    initial: { groupId, title: page?.title ?? groupName, slug: page?.slug ?? slugOf(groupName), enabled: page?.enabled ?? true },
    schema: async () => (await import('#shared/features/monitoring/settings.ts')).saveStatusPageInput,
    onSubmit: async (fields) => {
      await save.mutateAsync(fields)
      await utils.monitoring.statusPages.invalidate()
      toast.success(t('saved'), fields.title)
      onClose()
    },
    refusalOf: messageOf,
  })
  return (
    <Dialog onClose={onClose} title={t('status_pages.dialog', { name: groupName })} size={460}>
      <form className="column gap-16" onSubmit={form.submit} noValidate>
        <p className="size-13 secondary pretty">{t('status_pages.public')}</p>
        <TextInput {...form.text('title')} label={t('status_pages.name')} required autoComplete="off" data-autofocus />
        <TextInput
          {...form.text('slug')}
          label={t('status_pages.slug')}
          description={`${location.origin}/status/${form.values.slug}`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          autoComplete="off"
        />
        <NamedSwitch name={t('status_pages.enabled')} on={form.values.enabled} onChange={(on) => form.set('enabled', on)} />
        <FormEnd refusal={form.refusal} action={t('save')} busy={form.submitting} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
