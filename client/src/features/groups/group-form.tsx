import { Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Group } from '#shared/features/groups/schema.ts'
import { auth } from '#client/lib/auth.ts'
import { useForm } from '#client/lib/forms.ts'
import { trpc } from '#client/lib/trpc.ts'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { Problem } from '#client/ui/feedback/problem.tsx'
import { defaultColor, isColor } from './colors.ts'
import { defaultIcon, iconName } from './group-icons.ts'
import { GroupMark } from './group-mark.tsx'
import { useGroupActions } from './mutations.ts'
import { ColorPicker, IconPicker } from './pickers.tsx'
import classes from './groups.module.css'

/** The fields of a group with a live preview above them. */
export function GroupForm({ group, onSaved, onCancel }: { group?: Group; onSaved: (saved: Group) => void; onCancel: () => void }) {
  const { t } = useTranslation(['groups', 'common'])
  const actions = useGroupActions()
  const form = useForm({
    initial: {
      name: group?.name ?? '',
      description: group?.description ?? '',
      icon: group === undefined ? defaultIcon : iconName(group.icon),
      color: group === undefined ? defaultColor : (group.color ?? ''),
    },
    schema: async () => {
      const { createGroupInput } = await import('#shared/features/groups/schema.ts')
      return createGroupInput
    },
    onSubmit: async (fields) => {
      onSaved(await (group === undefined ? actions.create(fields) : actions.update({ ...fields, id: group.id })))
    },
    // The toast reports the reason; this stays after it has disappeared.
    refusalOf: () => t(group === undefined ? 'failed.creating' : 'failed.updating'),
  })
  const { name, description, icon, color } = form.values
  const groups = trpc.groups.list.useQuery({}).data?.groups
  const ownerId = group?.ownerId ?? auth.get().user?.id
  const wanted = name.trim().toLowerCase()
  // Duplicate names are allowed, since a description may distinguish them, but rarely intended.
  const taken = groups?.some((other) => other.id !== group?.id && other.ownerId === ownerId && other.name.toLowerCase() === wanted) === true
  const shown = isColor(color) ? color : 'var(--idle)'

  return (
    <form className={`column gap-16 ${classes['form']}`} onSubmit={form.submit} noValidate>
      <div className={`row gap-12 border radius-8 on-sunken ${classes['preview']}`} aria-hidden>
        <GroupMark icon={icon} color={shown} size={40} />
        <span className="column grow shrink">
          <bdi className={`semibold cut ${classes['previewName']}`} data-empty={name.trim() === '' || undefined}>
            {name.trim() === '' ? t('form.preview') : name}
          </bdi>
          {description.trim() === '' ? null : <bdi className="size-12 secondary cut">{description}</bdi>}
        </span>
      </div>
      <TextInput
        {...form.text('name')}
        label={t('form.name')}
        description={taken ? t('form.name_taken') : undefined}
        autoComplete="off"
        required
        data-autofocus
      />
      <Textarea {...form.text('description')} label={t('form.description')} description={t('form.description_help')} rows={2} />
      <ColorPicker value={color} error={form.errors['color']} onChange={(next) => form.set('color', next)} />
      <IconPicker value={icon} color={shown} onChange={(next) => form.set('icon', iconName(next))} />
      <Problem text={form.refusal} />
      <FormEnd action={t(group === undefined ? 'form.create' : 'form.save')} busy={form.submitting} stays onCancel={onCancel} />
    </form>
  )
}
