import { goalMaxDays, goalRefundMaxDays, openGoalsMax } from '../limits.ts'

const subscribers = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'subscriber' : 'subscribers'}`

/** Goals: amounts of tips and numbers of subscribers that creators want to reach (OFFER-07). */
export const goalTexts = {
  title: 'Goals',
  loadFailed: "Couldn't load goals",
  /** "$120.00 of $500.00" */
  money: (progress: string, target: string) => `${progress} of ${target}`,
  subscribers: (progress: number, target: number) => `${progress.toLocaleString('en-US')} of ${subscribers(target)}`,
  percent: (percent: number) => `${percent}%`,
  progress: (title: string) => `Progress of ${title}`,
  ends: (date: string) => `Ends ${date}`,
  ended: (date: string) => `Ended ${date}`,
  ending: 'Counting the last payments',
  status: { open: 'Open', reached: 'Reached', missed: 'Missed', removed: 'Removed' },
  refunds: 'Refunded if missed',
  refunded: 'Tips are refunded',
  about: 'About this goal',
  tip: 'Tip toward this',
  tipNamed: (title: string) => `Tip toward ${title}`,
  /** Below the tip form. */
  choose: {
    label: 'Tip toward a goal',
    none: 'No goal',
    promise: (date: string) => `If the goal isn't reached by ${date}, your tip is refunded.`,
    noPromise: "Your tip isn't refunded if the goal isn't reached.",
  },
  takeDown: {
    action: 'Take down',
    actionNamed: (title: string) => `Take down ${title}`,
    title: 'Take down goal',
    message: 'The goal disappears, and every tip toward it is refunded.',
    reason: { label: 'Reason', hint: 'The creator reads it.', missing: 'Enter a reason' },
    done: 'Goal taken down',
    failed: "Couldn't take down the goal",
  },
  /** The creator's own, in the dashboard. */
  tab: {
    title: 'Goals',
    hint: `Show fans what you are working toward. Up to ${openGoalsMax} goals can be open at a time.`,
    create: 'New goal',
    loadFailed: "Couldn't load your goals",
    moreFailed: "Couldn't load more goals",
    empty: {
      title: 'No goals yet',
      message: 'A new camera, a trip, a hundred subscribers: set a goal, and fans can follow and support it.',
    },
    full: `You have ${openGoalsMax} open goals. Wait until one ends, or end one.`,
    end: 'End goal',
    endNamed: (title: string) => `End ${title}`,
    delete: 'Delete',
    deleteNamed: (title: string) => `Delete ${title}`,
  },
  end: {
    title: (title: string) => `End ${title}?`,
    reached: 'It was reached, and takes no more tips.',
    missed: 'It counts as missed, and the fans who tipped toward it are notified. Their tips stay yours.',
    refunds: 'It counts as missed, and as you promised, every tip toward it is refunded.',
    subscribers: 'It counts as missed.',
    confirm: 'End goal',
    done: 'The goal ends in a few minutes, when the last payments have arrived.',
    failed: "Couldn't end the goal",
  },
  delete: {
    title: (title: string) => `Delete ${title}?`,
    message: "Nobody has tipped toward it. This can't be undone.",
    subscribers: "This can't be undone.",
    confirm: 'Delete',
    done: 'Goal deleted',
    failed: "Couldn't delete the goal",
  },
  form: {
    newTitle: 'New goal',
    back: 'All goals',
    name: { label: 'Title', missing: 'Enter a title' },
    description: { label: 'Description', hint: 'What fans make possible. (Optional)' },
    cover: { label: 'Picture', hint: 'Fans see it with the goal. (Optional)' },
    kind: { label: 'What to reach', money: 'Tips', subscribers: 'Subscribers' },
    amount: {
      label: 'Amount',
      low: 'Enter an amount of at least $1.00',
      high: 'Enter an amount of at most $1,000,000.00',
    },
    count: {
      label: 'Number of subscribers',
      hint: 'All subscribers count, also those you have now.',
      range: 'Enter a whole number from 1 to 1,000,000',
    },
    end: {
      label: 'End',
      soon: 'Choose a time at least an hour from now',
      far: `Choose a time within ${goalMaxDays} days`,
      farWithRefunds: `With refunds, choose a time within ${goalRefundMaxDays} days`,
    },
    refunds: {
      label: 'Refund all tips if the goal is missed',
      hint: 'Fans see this promise. The refunds are automatic, and come from your earnings.',
    },
    fixed: "You can't change the target, the end, or the promise of refunds later.",
    create: 'Set goal',
    save: 'Save changes',
    created: 'Your goal is on your profile',
    saved: 'Goal saved',
    failed: "Couldn't save the goal",
    gone: { title: 'Goal not found', message: 'It may have been deleted, or it has ended.' },
  },
} as const
