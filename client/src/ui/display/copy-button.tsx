import { ActionIcon } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '#client/lib/toast.ts'
import classes from './copy-button.module.css'

const shownMs = 1400

/** Copies a text and reports the result. `failure` is the message if the browser denies it. */
export function useCopy(failure?: string): { copied: boolean; copy: (text: string) => Promise<boolean> } {
  const { t } = useTranslation()
  const [copiedAt, setCopiedAt] = useState(0)
  useEffect(() => {
    if (copiedAt === 0) return
    const timer = setTimeout(() => setCopiedAt(0), shownMs)
    return () => clearTimeout(timer)
  }, [copiedAt])
  return {
    copied: copiedAt !== 0,
    copy: async (text) => {
      try {
        await navigator.clipboard.writeText(text)
        setCopiedAt(Date.now())
        return true
      } catch {
        toast.error(failure ?? t('copy_failed'))
        return false
      }
    },
  }
}

/** An icon button that copies. */
export function CopyButton({
  text,
  label,
  size = 24,
}: {
  text: string
  /** What is copied; defaults to ‘Copy’. */
  label?: string
  size?: number
}) {
  const { t } = useTranslation()
  const { copied, copy } = useCopy()
  const words = copied ? t('copied') : (label ?? t('copy'))
  return (
    <ActionIcon
      size={size}
      aria-label={words}
      title={words}
      data-copied={copied || undefined}
      className={classes['button'] ?? ''}
      onClick={(event) => {
        event.stopPropagation()
        void copy(text)
      }}
    >
      {copied ? <IconCheck size={14} stroke={2} /> : <IconCopy size={14} stroke={1.7} />}
    </ActionIcon>
  )
}

/** A text that is copied by a click, with an icon on hover. */
export function CopyText({ text, children }: { text: string; children?: ReactNode }) {
  const { t } = useTranslation()
  const { copied, copy } = useCopy()
  return (
    <button
      type="button"
      className={classes['text']}
      data-copied={copied || undefined}
      title={copied ? t('copied') : t('copy')}
      onClick={(event) => {
        event.stopPropagation()
        void copy(text)
      }}
    >
      <span className="cut">{children ?? text}</span>
      {copied ? <IconCheck size={13} stroke={2} /> : <IconCopy size={13} stroke={1.7} />}
      <span className="sr-only" role="status">
        {copied ? t('copied') : ''}
      </span>
    </button>
  )
}
