import { Button, Group, Progress, Radio, Skeleton, Stack, Text } from '@mantine/core'
import { pollTexts as texts } from '@ovation/contract/texts/polls'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useViewer } from '../../lib/auth/viewer.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { pluralize } from '../../lib/format/format-number.ts'
import { useLiveChange } from '../../lib/live/use-live-change.ts'
import { useAskToSignIn } from '../accounts/use-ask-to-sign-in.ts'
import classes from './poll-widget.module.css'
import { type PollWithVotes, type PostPoll, pollKey, pollQuery } from './queries.ts'
import { useVote } from './use-vote.ts'

/** NOTI-16..NOTI-21. Votes update live, and so does an early end (API-RT-03, D21). */
export default function PollWidget({ pollId }: { pollId: string }) {
  const queryClient = useQueryClient()
  const poll = useQuery(pollQuery(pollId))
  const refresh = () => void queryClient.invalidateQueries({ queryKey: pollKey(pollId) })
  useLiveChange('poll_votes', `poll_id=eq.${pollId}`, refresh)
  useLiveChange('polls', `id=eq.${pollId}`, refresh)
  if (poll.isPending) return <Skeleton height={120} mt="sm" />
  if (poll.isError || !poll.data)
    return (
      <Text size="sm" c="dimmed" mt="sm">
        {texts.loadFailed}
      </Text>
    )
  return <Poll poll={poll.data} />
}

/** A post's poll for visitors: the question, and a link to sign in. Results are for users, because they name voters. */
export function VisitorPoll({ poll, postId }: { poll: PostPoll; postId?: string }) {
  const { open, until } = useEnd(poll)
  return (
    <div className={classes.poll}>
      <p className={classes.question} dir="auto">
        {poll.title}
      </p>
      {open && <Ballot poll={poll} postId={postId} />}
      <Text size="sm" c="dimmed" mt="sm">
        {until}
      </Text>
    </div>
  )
}

function useEnd({ expires_at, is_active }: Pick<PollWithVotes, 'expires_at' | 'is_active'>) {
  const expired = useExpired(expires_at)
  const until = expired ? texts.expired : is_active ? texts.openUntil(formatDate(expires_at)) : texts.closed
  return { open: is_active && !expired, until }
}

function Poll({ poll }: { poll: PollWithVotes }) {
  const { open, until } = useEnd(poll)
  return (
    <div className={classes.poll}>
      <p className={classes.question} dir="auto">
        {poll.title}
      </p>
      {poll.description && (
        <Text size="sm" c="dimmed" className={classes.description} dir="auto">
          {poll.description}
        </Text>
      )}
      {open && poll.my_option === null ? <Ballot poll={poll} /> : <Results poll={poll} />}
      <Text size="sm" c="dimmed" mt="sm" className="facts">
        <span>{pluralize(poll.total_votes, 'vote')}</span>
        <span>{until}</span>
      </Text>
    </div>
  )
}

/** @param postId for visitors, who see polls in posts only. */
function Ballot({ poll: { id, title, options }, postId }: { poll: PostPoll; postId?: string }) {
  const viewer = useViewer()
  const askToSignIn = useAskToSignIn()
  const [chosen, setChosen] = useState('')
  const [missing, setMissing] = useState(false)
  const vote = useVote(id)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (viewer === null) askToSignIn(postId ? { kind: 'vote', id: postId } : undefined)
    else if (chosen === '') setMissing(true)
    else vote.mutate(Number(chosen))
  }
  return (
    <form onSubmit={submit}>
      <Radio.Group
        label={texts.options(title)}
        labelProps={{ className: 'visually-hidden' }}
        value={chosen}
        onChange={(next) => {
          setChosen(next)
          setMissing(false)
        }}
        error={missing ? texts.choose : null}
        errorProps={{ mt: 'xs' }}
      >
        <Stack gap="xs" mt="sm">
          {readOptions(options).map((option, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an option is its position, and votes refer to it.
            <Radio key={index} value={String(index)} label={<bdi>{option}</bdi>} disabled={vote.isPending} />
          ))}
        </Stack>
      </Radio.Group>
      <Group mt="md">
        <Button type="submit" variant="default" loading={vote.isPending}>
          {texts.vote}
        </Button>
      </Group>
    </form>
  )
}

function Results({ poll: { title, results, total_votes, my_option } }: { poll: PollWithVotes }) {
  return (
    <ol className={classes.results} aria-label={texts.options(title)}>
      {results.map(({ option_index, option, votes }) => {
        const percent = total_votes === 0 ? 0 : Math.round((votes / total_votes) * 100)
        return (
          <li key={option_index}>
            <div className={classes.result}>
              <span className={classes.option}>
                <bdi>{option}</bdi>
                {option_index === my_option && <span className={classes.mine}> · {texts.yours}</span>}
              </span>
              <span className={classes.votes}>
                {pluralize(votes, 'vote')} · {percent}%
              </span>
            </div>
            {/* The text above says the same. */}
            <Progress value={percent} size="sm" aria-hidden="true" />
          </li>
        )
      })}
    </ol>
  )
}

/** Parses the JSON text (DATA-27). Anything but a list of strings counts as no options. */
function readOptions(json: string): string[] {
  try {
    const parsed: unknown = JSON.parse(json)
    return Array.isArray(parsed) ? parsed.filter((option) => typeof option === 'string') : []
  } catch {
    return []
  }
}

/** Becomes true the moment the poll ends (NOTI-17). */
function useExpired(expiresAt: string): boolean {
  const [expired, setExpired] = useState(() => Date.parse(expiresAt) <= Date.now())
  useEffect(() => {
    const left = Date.parse(expiresAt) - Date.now()
    setExpired(left <= 0)
    // Longer than a timer can run: the page won't be open that long.
    if (left <= 0 || left > 0x7fffffff) return
    const timer = setTimeout(() => setExpired(true), left)
    return () => clearTimeout(timer)
  }, [expiresAt])
  return expired
}
