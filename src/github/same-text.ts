/** Whether two texts are the same to GitHub, which keeps neither line ends nor what is blank at the end as they are. */
export function isSameText(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(text: string): string {
  return text.replaceAll("\r\n", "\n").trimEnd();
}
