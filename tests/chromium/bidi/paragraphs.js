"use strict";

/* What to set. Each is [name, language, characters, width or null, size]. */

const PARAGRAPHS = [
  ["hebrew-label", "Hebrew", "שמור שינויים", null, 14],
  ["hebrew-english-word", "Hebrew", "הקובץ report.pdf נשמר בהצלחה", null, 16],
  ["english-hebrew-word", "Hebrew", "The word שלום means peace, and also hello.", null, 16],
  ["hebrew-number", "Hebrew", "המחיר הוא 1,250 ש״ח ליום", null, 18],
  ["hebrew-phone", "Hebrew", "טלפון: 03-555-0142 (שלוחה 7)", null, 16],
  ["hebrew-brackets", "Hebrew", "הספר (מהדורה שנייה) נמצא [במלאי]", null, 16],
  ["hebrew-paragraph", "Hebrew", "שומר המגדלור כתב בכל ערב בתשע את מזג האוויר, גם בלילות שבהם לא ראו דבר מלבד ערפל. הרשומות שלו היו קצרות: כיוון, עוצמה, הערה על הפנס.", 260, 16],
  ["hebrew-mixed-paragraph", "Hebrew", "התקנו את Windows 11 ואת Photoshop 2025 על המחשב החדש, ואחר כך בדקנו את 3 המסכים (כולל 4K) בחדר 12.", 240, 15],
  ["english-mixed-paragraph", "Hebrew", "The sign over the door says ברוכים הבאים לנמל, which the guide read aloud; below it, in small letters, 24 שעות ביממה.", 250, 15],
  ["hebrew-points", "Hebrew", "שָׁלוֹם, אִמָּא", null, 28],
  ["hebrew-two-paragraphs", "Hebrew", "שורה ראשונה 1\nSecond line, שורה 2\nשורה שלישית, line 3.", 300, 16],
  ["hebrew-percent", "Hebrew", "הנחה של 25% עד 31/12, לא כולל -5°", null, 16],
  ["arabic-label", "Arabic", "حفظ التغييرات", null, 14],
  ["arabic-english-word", "Arabic", "تم حفظ الملف report.pdf بنجاح", null, 16],
  ["english-arabic-word", "Arabic", "The word سلام means peace (سلامة is safety).", null, 16],
  ["arabic-number", "Arabic", "السعر ١٢٥٠ أو 1,250 دينار في اليوم", null, 18],
  ["arabic-paragraph", "Arabic", "كان حارس المنارة يكتب حالة الطقس كل مساء في الساعة التاسعة، حتى في الليالي التي لا يرى فيها غير الضباب. كانت ملاحظاته قصيرة: اتجاه وقوة وكلمة عن المصباح.", 260, 17],
  ["arabic-mixed-paragraph", "Arabic", "ثبتنا Windows 11 و Photoshop 2025 على الحاسوب الجديد، ثم فحصنا 3 شاشات (منها 4K) في الغرفة 12.", 230, 15],
  ["arabic-marks", "Arabic", "السَّلامُ عَلَيْكُم", null, 28],
  ["arabic-list", "Arabic", "1. القهوة: 4.50 $\n2. الشاي: 3 $\nTotal / المجموع: 7.50", 280, 16],
];
