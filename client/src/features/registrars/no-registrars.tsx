import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { quickAdd } from '#client/lib/quick-add.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'

/** Shown where a page needs a registrar and there is none: what it is for, with a link to add one. */
export function NoRegistrars({ title, text, action }: { title: string; text: string; action: string }) {
  return (
    <EmptyState
      picture="key"
      title={title}
      text={text}
      action={
        <Button leftSection={<IconPlus size={15} stroke={2} />} onClick={() => quickAdd.set('registrar')}>
          {action}
        </Button>
      }
    />
  )
}
