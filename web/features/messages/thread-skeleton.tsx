import { Skeleton } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import classes from './thread.module.css'

/** A placeholder for messages, aligned to the bottom like them. */
export const ThreadSkeleton = () => (
  <div className={classes.waiting} role="status" aria-label={commonTexts.loading}>
    <Skeleton height={42} width="52%" radius="xl" />
    <Skeleton height={42} width="38%" radius="xl" ml="auto" />
    <Skeleton height={42} width="60%" radius="xl" />
    <Skeleton height={42} width="45%" radius="xl" ml="auto" />
  </div>
)
