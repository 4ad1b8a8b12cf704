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
    .meta({ openapi: { method: 'GET', path: '/activity-logs', tags, summary: 'Who did what, newest first' } })
    .input(listActivityInput)
    .output(listActivityOutput)
    .query(({ ctx, input }) => listActivity(ctx, input)),
  stats: userProcedure
    .meta({
      openapi: { method: 'GET', path: '/activity-logs/stats', tags, summary: 'How much was done, by day, action and kind of thing' },
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
        summary: 'All entries of a filter as one file, newest first',
        description:
          '`format` says which; without it `Accept: application/json` gives JSON, everything else comma-separated values. With `cursor`, the id of the last entry that you have, it goes on after that one, without the headings.',
      },
      rest: { file: true },
    })
    .input(exportActivityInput)
    .output(exportActivityOutput)
    .query(({ ctx, input }) => exportActivity(ctx, input)),
  get: userProcedure
    .meta({ openapi: { method: 'GET', path: '/activity-logs/{id}', tags, summary: 'One entry with all its details' } })
    .input(getActivityInput)
    .output(activityAnswer)
    .query(({ ctx, input }) => getActivity(ctx, input)),
})
