import { Tabs } from '@mantine/core'
import { analyticsTexts as texts } from '@ovation/contract/texts/analytics'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'
import { TabStrip } from '../../../ui/tab-strip.tsx'
import classes from './analytics.module.css'
import { type Period, periodParameters, readPeriod } from './period.ts'
import { PeriodBar } from './period-bar.tsx'
import { type ViewName, views, withoutPeriod } from './views.ts'

const names: ViewName[] = Object.keys(views).filter((name): name is ViewName => name in views)
const [firstView] = names

/** A creator's analytics (STATX): the period and the tab are in the address. */
export default function AnalyticsTab({ profileId }: { profileId: string }) {
  const [parameters, setParameters] = useSearchParams()
  const period = readPeriod(parameters)
  const view = names.find((name) => name === parameters.get('view')) ?? firstView
  const show = (next: { view?: string | null; period?: Period }) => {
    const opened = next.view ?? view
    const of = parameters.get('of')
    setParameters(
      {
        tab: 'analytics',
        ...(opened && opened !== firstView && { view: opened }),
        ...(of !== null && { of }),
        ...periodParameters(next.period ?? period),
      },
      { replace: true },
    )
  }
  if (view === undefined) return null
  return (
    <div className={classes.analytics}>
      <h2 className="visually-hidden">{texts.title}</h2>
      <Tabs value={view} onChange={(next) => show({ view: next })} keepMounted={false}>
        <TabStrip label={texts.title} names={names} open={view} words={texts.views} />
        {!withoutPeriod.includes(view) && <PeriodBar period={period} onChange={(chosen) => show({ period: chosen })} />}
        <Suspense fallback={<ListSkeleton rows={3} />}>
          {names.map((name) => {
            const View = views[name]
            return (
              <Tabs.Panel key={name} value={name}>
                <div className={classes.sections}>
                  <View profileId={profileId} period={period} />
                </div>
              </Tabs.Panel>
            )
          })}
        </Suspense>
      </Tabs>
    </div>
  )
}
