import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '#client/lib/save-file.ts'
import { toast } from '#client/lib/toast.ts'
import { api } from '#client/lib/trpc.ts'
import { FormSection } from '#client/ui/form-section.tsx'
import forms from '#client/ui/form.module.css'

/** Everything that is the person's as a file: the server gives it part by part, a person may stop it. */
export function DataSection() {
  const { t } = useTranslation(['me', 'common'])
  const [saving, setSaving] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const save = async (): Promise<void> => {
    const stop = new AbortController()
    running.current = stop
    setSaving(true)
    try {
      const parts: string[] = []
      for (let cursor: string | undefined; ;) {
        const input = cursor === undefined ? {} : { cursor }
        const { text, nextCursor } = await api.me.export.query(input, { signal: stop.signal, context: { alone: true } })
        parts.push(text)
        if (nextCursor === null) break
        cursor = nextCursor
      }
      saveFile('zonedeck-export.json', 'application/json', ...parts)
    } catch (error) {
      if (!stop.signal.aborted) toast.failure(error, t('data.failed'))
    } finally {
      setSaving(false)
    }
  }

  return (
    <FormSection title={t('data.title')} text={t('data.text')}>
      <div className={forms['actions']}>
        <Button
          variant="default"
          leftSection={<IconDownload size={15} stroke={1.8} aria-hidden />}
          loading={saving}
          onClick={() => void save()}
        >
          {t('data.export')}
        </Button>
        {saving && (
          <Button variant="default" onClick={() => running.current?.abort()}>
            {t('common:cancel')}
          </Button>
        )}
      </div>
    </FormSection>
  )
}
