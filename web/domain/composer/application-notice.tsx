import { Anchor, Text } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { schedulingTexts } from '@ovation/contract/texts/scheduling'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { latestApplicationQuery } from '../verification/latest-application-query.ts'

const { message, application: texts } = schedulingTexts.waiting

/**
 * Tells a creator who isn't approved what a draft is for, and leads to their application (LOOP-08).
 * @param onLeave closes the composer, which is above every screen. The draft is kept.
 */
export function ApplicationNotice({ userId, onLeave }: { userId: string; onLeave: () => void }) {
  const { data: latest } = useQuery(latestApplicationQuery(userId))
  const known = latest === null ? 'none' : latest?.status
  // The screen of the application also tells a creator who was approved a moment ago.
  const { state, action } = texts[known === undefined || known === 'approved' ? 'unknown' : known]
  return (
    <div>
      <Text size="sm" c="dimmed">
        {message}
      </Text>
      {/* A line of its own, so that loading it moves nothing. */}
      <Text size="sm" mt={4}>
        {state}{' '}
        <Anchor component={Link} to={paths.creatorVerification} onClick={onLeave} inherit>
          {action}
        </Anchor>
      </Text>
    </div>
  )
}
