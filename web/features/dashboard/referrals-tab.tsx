import { Anchor, Button, Code, Text } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { referralsQuery } from '../../domain/referrals/queries.ts'
import { referralCode } from '../../lib/auth/referral.ts'
import { formatCents, formatCount } from '../../lib/format/format-number.ts'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { copyLink } from '../../ui/share.ts'
import { Stat, StatList } from '../../ui/stat.tsx'
import sections from './dashboard-screen.module.css'
import classes from './earnings.module.css'

const texts = dashboardTexts.referrals

/** The referral link and its results (DASH-05, DASH-16). The full history has its own screen. */
export default function ReferralsTab({ profileId }: { profileId: string }) {
  const referrals = useQuery(referralsQuery(profileId))
  const link = `${paths.auth}?ref=${referralCode(profileId)}`
  const stats = referrals.data?.stats
  return (
    <div className={sections.sections}>
      <section className={`surface ${classes.way}`} aria-labelledby="invite">
        <h2 id="invite" className={classes.heading}>
          {texts.title}
        </h2>
        <p>{texts.message}</p>
        <Text size="sm" fw={550} mt="xs">
          {texts.link}
        </Text>
        <Code className={classes.link}>{window.location.origin + link}</Code>
        <Button
          variant="default"
          leftSection={<IconCopy size={17} stroke={1.75} aria-hidden="true" />}
          onClick={() => void copyLink(link)}
        >
          {texts.copy}
        </Button>
      </section>
      {referrals.isError && !stats ? (
        <LoadFailed title={texts.loadFailed} of={referrals} />
      ) : (
        <StatList aria-label={texts.stats.label} aria-busy={!stats}>
          <Stat label={texts.stats.total} value={stats && formatCount(stats.total_referrals)} />
          <Stat label={texts.stats.completed} value={stats && formatCount(stats.completed_referrals)} />
          <Stat label={texts.stats.pending} value={stats && formatCount(stats.pending_referrals)} />
          <Stat label={texts.stats.earned} value={stats && formatCents(stats.total_earned)} />
        </StatList>
      )}
      <Anchor component={Link} to={paths.referrals} className="reach">
        {texts.all}
      </Anchor>
    </div>
  )
}
