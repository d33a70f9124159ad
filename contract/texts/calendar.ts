/** A month of days to choose from. */
export const calendarTexts = {
  before: 'Previous month',
  after: 'Next month',
  /** As shown, and as read aloud. */
  weekdays: [
    ['Su', 'Sunday'],
    ['Mo', 'Monday'],
    ['Tu', 'Tuesday'],
    ['We', 'Wednesday'],
    ['Th', 'Thursday'],
    ['Fr', 'Friday'],
    ['Sa', 'Saturday'],
  ],
} as const
