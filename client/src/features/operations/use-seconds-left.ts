import { useEffect, useRef, useState } from 'react'
import type { Operation } from '#shared/features/operations/schema.ts'
import { finishedItems, secondsLeft, type PaceSince } from './operation-progress.ts'

/** Seconds until the end at the pace that was seen here: the time of a pause, or of a trial that somebody looked at, is none of the work's. */
export function useSecondsLeft(operation: Operation, nowMs: number): number | null {
  const running = operation.state === 'running'
  const [since, setSince] = useState<PaceSince | null>(null)
  const latest = useRef({ operation, nowMs })
  useEffect(() => {
    latest.current = { operation, nowMs }
  })
  useEffect(() => {
    setSince(running ? { ms: latest.current.nowMs, finished: finishedItems(latest.current.operation) } : null)
  }, [running])
  return since === null ? null : secondsLeft(operation, since, nowMs)
}
