import { Anchor, Progress, Text } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { adminTexts } from '@ovation/contract/texts/admin'
import { IconChartBar } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { pluralize } from '../../lib/format/format-number.ts'
import { useLiveChange } from '../../lib/live/use-live-change.ts'
import { AdminList } from './admin-list.tsx'
import { type PollOption, type PollResult, pollResultsQuery } from './poll-queries.ts'
import classes from './polls-tab.module.css'

const texts = adminTexts.polls

/** ADM-38..ADM-40. Votes update live (API-RT-03). */
export default function PollsTab() {
  const queryClient = useQueryClient()
  const query = useInfiniteQuery(pollResultsQuery())
  useLiveChange('poll_votes', '', () => void queryClient.invalidateQueries(pollResultsQuery()))
  return (
    <AdminList
      query={query}
      rows={query.data?.pages.flat()}
      label={texts.list}
      empty={texts.none}
      icon={IconChartBar}
      failure={{ title: texts.loadFailed, message: errorMessageOf(query.error) }}
    >
      {(poll) => <Poll key={poll.id} poll={poll} />}
    </AdminList>
  )
}

function Poll({ poll }: { poll: PollResult }) {
  const { title, description, expires_at, is_active, created_at, total_votes, results } = poll
  const open = is_active && new Date(expires_at) > new Date()
  return (
    <li className={`surface ${classes.poll}`}>
      <h2 className={classes.title}>{title}</h2>
      <Text size="sm" c="dimmed" className="facts">
        <span>{pluralize(total_votes, 'vote')}</span>
        <span>{texts.asked(formatDate(created_at))}</span>
        <span>{open ? texts.openUntil(formatDate(expires_at)) : texts.closed}</span>
      </Text>
      {description && <Text mt="xs">{description}</Text>}
      <ol className={classes.options}>
        {results.map((option) => (
          <Option key={option.option_index} option={option} total={total_votes} />
        ))}
      </ol>
    </li>
  )
}

function Option({ option: { option, votes, voters }, total }: { option: PollOption; total: number }) {
  const percent = total === 0 ? 0 : Math.round((votes / total) * 100)
  return (
    <li>
      <div className={classes.result}>
        <bdi>{option}</bdi>
        <span className={classes.votes}>
          {pluralize(votes, 'vote')} · {percent}%
        </span>
      </div>
      {/* The text above says the same. */}
      <Progress value={percent} size="sm" aria-hidden="true" />
      {voters.length > 0 && (
        <Text size="sm" c="dimmed" mt={6}>
          {texts.recent}{' '}
          {voters.map((voter, index) => (
            <span key={voter.profile_id}>
              {index > 0 && ', '}
              <Anchor component={Link} to={paths.profile(voter.username)} inherit underline="always">
                <bdi>{nameOf(voter)}</bdi>
              </Anchor>
            </span>
          ))}
        </Text>
      )}
    </li>
  )
}
