import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import { useQuery } from '@tanstack/react-query'
import { availabilityQuery, ownSlotsQuery } from '../../domain/private-sessions/availability-queries.ts'
import { offersQuery } from '../../domain/private-sessions/offer-queries.ts'
import classes from '../../domain/private-sessions/sessions.module.css'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { failedOf, LoadFailed } from '../../ui/load-failed.tsx'
import { OpenedSlots } from './opened-slots.tsx'
import { SpecialDays } from './special-days.tsx'
import { WeeklyHoursForm } from './weekly-hours-form.tsx'

/** LOOP-25: when a creator is available, and the times that they opened one by one (PRIV-02). */
export default function AvailabilityTab({ creatorId }: { creatorId: string }) {
  const availability = useQuery(availabilityQuery(creatorId))
  const slots = useQuery(ownSlotsQuery(creatorId))
  const offers = useQuery(offersQuery(creatorId, { active: false }))
  const failed = failedOf(availability, slots, offers)
  if (failed.length > 0) return <LoadFailed title={sessionTexts.hours.loadFailed} of={failed} />
  if (availability.data === undefined || !slots.data || !offers.data) return <ListSkeleton rows={3} />
  return (
    <div className={classes.sections}>
      <WeeklyHoursForm creatorId={creatorId} saved={availability.data} />
      <SpecialDays creatorId={creatorId} availability={availability.data} />
      {slots.data.length > 0 && <OpenedSlots slots={slots.data} offers={offers.data} />}
    </div>
  )
}
