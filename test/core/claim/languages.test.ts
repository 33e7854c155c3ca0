import { describe, expect, test } from "vitest";
import { hedgesOf } from "../../../src/core/claim/hedges.ts";
import { LANGUAGES } from "../../../src/core/claim/languages.ts";

/** For each language: a denial, a condition, an announcement, and sentences that say that all is well. */
const SAID: Readonly<Record<string, readonly [string, string, string, ...string[]]>> = {
  English: ["It is not done", "Once it is done", "I will print", "There is nothing left to do", "No issues remain"],
  Spanish: [
    "No está terminado",
    "Cuando pasen las pruebas",
    "Voy a imprimir",
    "No hay errores",
    "Se ha completado todo",
  ],
  French: [
    "Ce n'est pas fini",
    "Quand les tests passeront",
    "J'afficherai ceci",
    "Il n'y a pas d'erreur",
    "Tout est terminé",
  ],
  German: [
    "Es ist noch nicht fertig",
    "Sobald alles grün ist",
    "Ich werde das sagen",
    "Es ist nichts mehr zu tun",
    "Alles fertig",
  ],
  Portuguese: [
    "Ainda não está pronto",
    "Se tudo estivesse pronto",
    "Vou imprimir isto",
    "Não há erros",
    "Se completou tudo",
  ],
  Italian: ["Non è finito", "Quando i test passano", "Poi scriverò questo", "Non ci sono errori", "Tutto finito"],
  Dutch: ["Het is nog niet klaar", "Zodra de tests slagen", "Ik zal dit zeggen", "Er zijn geen fouten", "Alles klaar"],
  Swedish: ["Det är inte klart än", "När testerna går igenom", "Jag ska skriva det", "Inga fel finns", "Allt är klart"],
  Polish: ["Jeszcze nie skończone", "Gdy testy przejdą", "Potem będę to pisać", "Nie ma błędów", "Wszystko gotowe"],
  Turkish: ["Henüz bitmedi", "Testler geçince", "Bunu yazacağım", "Hiçbir hata yok", "Her şey tamam"],
  Indonesian: [
    "Belum selesai",
    "Jika semua tes lulus",
    "Saya akan menulis ini",
    "Tidak ada kesalahan",
    "Semua selesai",
  ],
  Vietnamese: ["Chưa hoàn thành", "Khi các kiểm thử đã qua", "Tôi sẽ in", "Không còn lỗi", "Tất cả đã xong"],
  Russian: ["Работа не завершена", "Когда все тесты пройдут", "Я напишу это", "Ошибок не осталось", "Все готово"],
  Ukrainian: ["Ще не готово", "Якщо тести пройдуть", "Я виведу це", "Помилок не лишилось", "Усе готово"],
  Arabic: ["لم يكتمل العمل بعد", "عندما تنجح الاختبارات", "سأكتب هذا", "لا توجد أخطاء", "اكتمل كل شيء"],
  Hindi: ["काम अभी पूरा नहीं हुआ", "जब सभी परीक्षण पास हों", "मैं लिखूँगा", "कोई त्रुटि नहीं है", "सब पूरा हो गया"],
  Chinese: ["工作还没有完成", "如果测试通过", "我将输出", "没有错误", "全部做好了"],
  Japanese: [
    "まだ完了していません",
    "テストが通ったら",
    "出力する予定です",
    "エラーはありません",
    "すべて完了しました",
  ],
  Korean: ["아직 완료되지 않았습니다", "테스트가 통과하면", "출력하겠습니다", "오류가 없습니다", "모두 완료했습니다"],
};

test("at least ten languages besides English are known, and each is tried here [C37]", () => {
  expect(LANGUAGES.map(({ name }) => name)).toEqual(Object.keys(SAID));
  expect(LANGUAGES.length).toBeGreaterThan(10);
});

test("every row is in lower case, without a word twice [C37]", () => {
  for (const { negation, notYet, condition, future, done, clean, common } of LANGUAGES) {
    for (const words of [negation, notYet, condition, future, done, clean, common]) {
      expect(words).toEqual([...new Set(words.map((word) => word.normalize("NFC").toLowerCase()))]);
    }
  }
});

describe.each(Object.entries(SAID))("%s", (_name, [denial, condition, announcement, ...well]) => {
  test("denies, conditions and announces [C37]", () => {
    expect(hedgesOf(denial).some(({ denies }) => denies)).toBe(true);
    expect(hedgesOf(condition).some(({ conditions }) => conditions)).toBe(true);
    expect(hedgesOf(announcement).some(({ announces }) => announces)).toBe(true);
  });

  test.each(well)("and does none of it by: %s [C37]", (said) => {
    const hedged = hedgesOf(said).filter(({ denies, conditions, announces }) => denies || conditions || announces);
    expect(hedged).toEqual([]);
  });
});

test("a sentence in no known words says nothing, and a long one is read to its 500th character [C37]", () => {
  expect(hedgesOf("xyzzy plugh")).toEqual([]);
  expect(hedgesOf("")).toEqual([]);
  expect(hedgesOf(`${"x ".repeat(300)}not`)).toEqual([]);
});
