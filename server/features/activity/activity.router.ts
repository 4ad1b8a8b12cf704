import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import {
  activityAnswer,
  activityPeople,
  activityStats,
  activityStatsInput,
  exportActivityInput,
  exportActivityOutput,
  getActivityInput,
  listActivityInput,
  listActivityOutput,
} from '#shared/features/activity/schema.ts'
import { exportActivity } from './export-activity.ts'
import { getActivityStats } from './get-activity-stats.ts'
import { getActivity, listActivity, listActivityPeople } from './list-activity.ts'

const tags = ['Activity log']

export const activityRouter = t.router({
  list: userProcedure
    .meta({ openapi: { method: 'GET', path: '/activity-logs', tags, summary: 'List activity log entries', description: 'Newest first.' } })
    .input(listActivityInput)
    .output(listActivityOutput)
    .query(({ ctx, input }) => listActivity(ctx, input)),
  stats: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/activity-logs/stats',
        tags,
        summary: 'Get activity statistics',
        description: 'Counts by day, action, and entity type.',
      },
    })
    .input(activityStatsInput)
    .output(activityStats)
    .query(({ ctx, input }) => getActivityStats(ctx, input)),
  people: userProcedure.output(activityPeople).query(({ ctx }) => listActivityPeople(ctx)),
  export: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/activity-logs/export',
        tags,
        summary: 'Export the activity log as a file',
        description:
          '`format` selects the file format; without it, `Accept: application/json` returns JSON and any other value CSV. With `cursor`, the ID of the last entry received, the export continues after that entry and has no column headings.',
      },
      rest: { file: true },
    })
    .input(exportActivityInput)
    .output(exportActivityOutput)
    .query(({ ctx, input }) => exportActivity(ctx, input)),
  get: userProcedure
    .meta({ openapi: { method: 'GET', path: '/activity-logs/{id}', tags, summary: 'Get an activity log entry' } })
    .input(getActivityInput)
    .output(activityAnswer)
    .query(({ ctx, input }) => getActivity(ctx, input)),
})
