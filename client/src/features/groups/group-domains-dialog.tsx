import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Group } from '#shared/features/groups/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { FindDomains } from './find-domains.tsx'
import { GroupDomains } from './group-domains.tsx'
import { GroupMark } from './group-mark.tsx'
import { PasteDomains } from './paste-domains.tsx'
import classes from './groups.module.css'

type Part = 'in' | 'find' | 'paste'

/** The domains of a group, and two ways to add more (R-GRP-02). */
export function GroupDomainsDialog({ group, start, onClose }: { group: Group; start: Part; onClose: () => void }) {
  const { t } = useTranslation('groups')
  const [part, setPart] = useState<Part>(start)
  const managed = allows(group.shared, 'manage')
  const showGroup = (): void => setPart('in')
  return (
    <Dialog
      onClose={onClose}
      size={620}
      title={
        <span className={`row gap-10 shrink ${classes['dialogTitle']}`}>
          <GroupMark icon={group.icon} color={group.color} size={24} />
          <bdi>{group.name}</bdi>
        </span>
      }
      styles={{ title: { minWidth: 0 } }}
    >
      <div className={`column gap-16 ${classes['form']}`}>
        {managed ? (
          <SegmentedControl
            fullWidth
            size="sm"
            aria-label={t('domains.parts')}
            value={part}
            onChange={setPart}
            data={[
              { value: 'in', label: t('domains.in') },
              { value: 'find', label: t('domains.find') },
              { value: 'paste', label: t('domains.paste') },
            ]}
          />
        ) : null}
        {part === 'in' ? <GroupDomains group={group} managed={managed} onClose={onClose} onAdd={() => setPart('find')} /> : null}
        {part === 'find' ? <FindDomains group={group} onAdded={showGroup} /> : null}
        {part === 'paste' ? <PasteDomains group={group} onAdded={showGroup} /> : null}
      </div>
    </Dialog>
  )
}
